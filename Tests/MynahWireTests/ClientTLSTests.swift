import APNsRules
import MynahTrust
import NIOCore
import Testing

@testable import MynahWire

@Suite("TLS on the provider's side")
struct ClientTLSTests {
    /// A CA, a certificate that it signed, and the certificate's key.
    private let authority: [UInt8]
    private let chain: [UInt8]
    private let key: [UInt8]

    init() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: Instant(seconds: 1_767_225_600))
        authority = Array(trust.caPEM.utf8)
        chain = Array(trust.serverChainPEM.utf8)
        key = Array(trust.serverKeyPEM.utf8)
    }

    /// A key encrypted with a password, which OpenSSL must not ask for.
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh487UqNX2yTgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEETB1WYQr4Z8EMVCCvHPaEEEgZCK
        xpLuleg9UZcW6sfBuwJa2D44xD3QfHc55idPZxtFVp5ob+S7LovMQpJH7tkmsz9Y
        DaaZDW/9k2NjKmrlhiQ3KjV+acwRZ6lBsN60lEYXJYic3w+XfhvNpF9rX3W513dV
        bGNZQJddUqeG2lZ1GEy9BmxU1XkeoauGB4J5LrXEO2+BOjwcMLD1pd156ViYZR8=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    @Test("an error names the part that can't be used")
    func faults() throws {
        let other = try TrustMaterial.open(stateDirectory: nil, now: Instant(seconds: 1_767_225_600)).serverKeyPEM
        let cases: [(ca: [UInt8], identity: ClientIdentity?, part: String, words: String)] = [
            ([], nil, "the CA", "no certificate"), (Array("x".utf8), nil, "the CA", "no certificate"),
            (authority, .init(chainPEM: [], keyPEM: key), "the certificate", ""),
            (authority, .init(chainPEM: chain, keyPEM: []), "the certificate's key", ""),
            (authority, .init(chainPEM: chain, keyPEM: Array(other.utf8)), "the certificate's key", "mismatch"),
            // Without a prompt on the terminal.
            (
                authority, .init(chainPEM: chain, keyPEM: Array(Self.encryptedKey.utf8)), "the certificate's key", ""
            ),
        ]
        for (ca, identity, part, words) in cases {
            let fault = #expect(throws: OpenSSLError.self) {
                try ClientTLSContext(caPEM: ca, identity: identity)
            }
            #expect(fault?.part == part)
            #expect(words.isEmpty || fault?.description.contains(words) == true, "\(fault?.description ?? "")")
        }
        _ = try ClientTLSContext(caPEM: authority, identity: .init(chainPEM: chain, keyPEM: key))
    }

    @Test(
        "a server's alert has its name, and tells whether it concerns a certificate",
        arguments: [
            (42, "bad certificate", true), (43, "unsupported certificate", true), (44, "certificate revoked", true),
            (45, "certificate expired", true), (46, "certificate unknown", true), (48, "unknown CA", true),
            (40, "handshake failure", false), (70, "protocol version", false),
        ] as [(UInt8, String, Bool)])
    func alerts(number: UInt8, text: String, concernsCertificate: Bool) throws {
        var session = try TLSSession(client: ClientTLSContext(caPEM: authority), host: "localhost")
        guard case .incomplete = session.handshake() else {
            Issue.record("the handshake did not wait for the server")
            return
        }
        // A record of type alert, TLS 1.2, 2 bytes: fatal and its number (RFC 8446 §6).
        let record: [UInt8] = [21, 3, 3, 0, 2, 2, number]
        session.receive(ByteBuffer(bytes: record))
        guard case .failed(let error) = session.handshake() else {
            Issue.record("the handshake did not fail")
            return
        }
        let alert = try #require(error.alert)
        #expect(alert.number == number)
        #expect(alert.text == text)
        #expect(alert.concernsCertificate == concernsCertificate)
    }

    @Test("a chosen version is the only one that is offered", arguments: TLSVersion.allCases)
    func version(_ version: TLSVersion) throws {
        var session = try TLSSession(
            client: ClientTLSContext(caPEM: authority, version: version), host: "localhost")
        _ = session.handshake()
        let output = session.takeOutput()
        let hello = Array(try #require(output).readableBytesView)
        // supported_versions (RFC 8446 §4.2.1), sent only to offer TLS 1.3: type 43, a list of one.
        let supported: [UInt8] = [0, 43, 0, 3, 2, 3, 4]
        let offers13 = hello.indices.contains { hello[$0...].starts(with: supported) }
        #expect(offers13 == (version == .tls13))
    }
}
