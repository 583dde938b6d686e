import APNsRules
import MynahTrust
import MynahWire
import Testing

/// Which of its certificates a server presents.
struct ServerCertificateTests {
    private let trust: TrustMaterial

    init() throws {
        trust = try TrustMaterial.open(stateDirectory: nil, now: Instant(seconds: 1_795_000_000))
    }

    private func pair(_ version: TestClient.Version, serverName: String?) throws -> TLSPair {
        let identity = TLSIdentity(
            chainPEM: Array(trust.serverChainPEM.utf8), hostChainPEM: Array(trust.hostChainPEM.utf8),
            keyPEM: Array(trust.serverKeyPEM.utf8), clientCAsPEM: [])
        return try TLSPair(.proceed, version, serverName: serverName, loop: WireLoop(identity))
    }

    /// The base64 of the first certificate in a PEM chain.
    private func certificate(of chain: String) throws -> String {
        let lines = chain.split(separator: "\n")
        let end = try #require(lines.firstIndex { $0.hasPrefix("-----END") })
        return lines[1..<end].joined()
    }

    @Test("a client that names a host gets the certificate without addresses", arguments: TestClient.Version.allCases)
    func host(_ version: TestClient.Version) throws {
        for name in ["localhost", "api.push.apple.com", "unknown.example.com"] {
            let client = try pair(version, serverName: name).client
            #expect(client.isConnected)
            #expect(base64(client.serverCertificate) == (try certificate(of: trust.hostChainPEM)), "\(name)")
        }
    }

    @Test(
        "a client that names no host, or an address, gets the certificate with addresses",
        arguments: TestClient.Version.allCases)
    func address(_ version: TestClient.Version) throws {
        for name in [nil, "127.0.0.1", "::1"] {
            let client = try pair(version, serverName: name).client
            #expect(client.isConnected)
            #expect(base64(client.serverCertificate) == (try certificate(of: trust.serverChainPEM)), "\(name ?? "")")
        }
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}
