import APNsRules
import Testing

@testable import MynahTrust

/// Certificates that a provider must not accept.
struct SubstituteTests {
    private static let now = Instant(seconds: 1_795_000_000)

    /// Why a client that trusts the server's CA refuses the certificate for a name.
    private func fault(_ kind: WireTLSFault.Certificate, name: String? = "localhost") throws -> String? {
        try fault(kind, name: name, chain: \.hostChainPEM)
    }

    private func fault(
        _ kind: WireTLSFault.Certificate, name: String?, chain: KeyPath<TrustMaterial.Substitute, String>
    ) throws -> String? {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: Self.now)
        let substitute = try trust.makeSubstitute(kind, now: Self.now)
        #expect(substitute.keyPEM == trust.serverKeyPEM)
        let own = try #require(PEM.blocks(in: substitute[keyPath: chain]).first?.der)
        let certificate = try Certificate(der: own)
        return try certificate.fault(
            under: Certificate(der: trust.authority.der), at: Self.now, name: name.flatMap { CertificateName($0) })
    }

    @Test("each certificate is wrong in exactly one way")
    func faults() throws {
        #expect(try fault(.expired) == "certificate has expired")
        #expect(try fault(.wrongHost) == "hostname mismatch")
        #expect(try fault(.wrongHost, name: nil) == nil)
        #expect(try fault(.wrongHost, name: "another-service.test") == nil)
        #expect(try fault(.untrusted) == "unable to get local issuer certificate")
    }

    @Test("clients that connect to an address see the same fault")
    func addresses() throws {
        #expect(try fault(.expired, name: "127.0.0.1", chain: \.chainPEM) == "certificate has expired")
        #expect(try fault(.wrongHost, name: "127.0.0.1", chain: \.chainPEM) == "IP address mismatch")
        #expect(
            try fault(.untrusted, name: "127.0.0.1", chain: \.chainPEM) == "unable to get local issuer certificate")
    }
}
