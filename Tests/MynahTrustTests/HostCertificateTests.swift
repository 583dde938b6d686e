import APNsRules
import Testing

@testable import MynahTrust

/// The certificate without addresses, for clients that name a host: BoringSSL refuses a certificate with addresses from
/// a CA that constrains them.
struct HostCertificateTests {
    let folder: TemporaryFolder
    let state: String

    init() throws {
        folder = try TemporaryFolder()
        state = folder("state")
    }

    private func open(_ tlsNames: [String] = [], renew: TrustMaterial.Renewal = .nothing) throws -> TrustMaterial {
        try TrustMaterial.open(stateDirectory: state, tlsNames: tlsNames, now: testNow, renew: renew)
    }

    /// Which of `names` the first certificate of a chain holds; its CA must accept the certificate.
    private func held(_ names: [CertificateName], in chain: String) throws -> Set<CertificateName> {
        let chain = PEM.blocks(in: chain).compactMap(\.der)
        #expect(chain.count == 2)
        let own = try Certificate(der: chain[0])
        let fault = try own.fault(under: Certificate(der: chain[1]), at: testNow, strictly: true)
        #expect(fault == nil)
        var held: Set<CertificateName> = []
        for name in names where own.holds(name) { held.insert(name) }
        return held
    }

    @Test("the host certificate has all hosts and no address, and the other one has both")
    func names() throws {
        let trust = try open(["192.168.1.5", "more.test"])
        let names = trust.serverNames.compactMap { CertificateName($0) }
        #expect(names.contains(.address([192, 168, 1, 5])) && names.contains(.dns("more.test")))
        #expect(try held(names, in: trust.serverChainPEM) == Set(names))
        #expect(try held(names, in: trust.hostChainPEM) == Set(names.filter(\.isHost)))
    }

    @Test("a folder without a host certificate gets new ones of the same CA and key, and one notice")
    func oldFolder() throws {
        let first = try open()
        try folder.remove("state/server-hosts.pem")
        let second = try open()
        #expect(second.caPEM == first.caPEM)
        #expect(second.serverKeyPEM == first.serverKeyPEM)
        #expect(second.notices.count == 1 && second.warnings.isEmpty)
        let names = second.serverNames.compactMap { CertificateName($0) }
        #expect(try held(names, in: second.hostChainPEM) == Set(names.filter(\.isHost)))
        let third = try open()
        #expect(third.notices.isEmpty)
        #expect(third.hostChainPEM == second.hostChainPEM)
    }

    @Test("a host certificate of another key or with an address is replaced")
    func strangers() throws {
        let first = try open()
        let stale = try folder.read("state/server-hosts.pem")
        let renewed = try open(renew: .serverCertificate)
        for text in [stale, try folder.read("state/server.pem")] {
            try folder.write(text, to: "state/server-hosts.pem")
            let trust = try open()
            #expect(trust.caPEM == first.caPEM)
            #expect(trust.serverKeyPEM == renewed.serverKeyPEM)
            let names = trust.serverNames.compactMap { CertificateName($0) }
            #expect(try held(names, in: trust.hostChainPEM) == Set(names.filter(\.isHost)))
            #expect(try folder.read("state/server-hosts.pem") + trust.caPEM == trust.hostChainPEM)
        }
    }

    @Test("without the CA's key an existing host certificate is used; without both there is a warning")
    func withoutAuthorityKey() throws {
        let first = try open()
        try folder.remove("state/ca-key.pem")
        #expect(try open().hostChainPEM == first.hostChainPEM)
        try folder.remove("state/server-hosts.pem")
        let second = try open()
        #expect(second.hostChainPEM == first.serverChainPEM)
        #expect(second.warnings.count == 1 && second.warnings[0].contains("server-hosts.pem is missing"))
        #expect(second.notices.isEmpty)
    }
}
