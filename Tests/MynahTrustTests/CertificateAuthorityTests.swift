import APNsRules
import Testing

@testable import MynahTrust

@Suite("The CA and what it signs")
struct CertificateAuthorityTests {
    let authority: CertificateAuthority
    let serverKey: P256PrivateKey
    let further = ["push.example.com", "*.wild.example.com", "203.0.113.9", "2001:db8::9"]

    init() throws {
        authority = try .make(ServerNames.parse(further), now: testNow)
        serverKey = try .generate()
    }

    private func issue(_ names: [CertificateName]) throws -> (certificate: [UInt8], leftOut: [CertificateName]) {
        try authority.issueServer(names, for: serverKey.publicKey, now: testNow)
    }

    /// Why a strict client that trusts the CA refuses a certificate for a name.
    private func fault(_ certificate: [UInt8], _ name: CertificateName?, at now: Instant = testNow) throws -> String? {
        try Certificate(der: certificate).fault(
            under: Certificate(der: authority.der), at: now, name: name, strictly: true)
    }

    @Test("a strict client accepts the certificate under every wanted name, and under no other")
    func everyName() throws {
        let wanted = try ServerNames.wanted(ServerNames.parse(further))
        let (certificate, leftOut) = try issue(wanted)
        #expect(leftOut.isEmpty)
        for name in wanted {
            let asked = name == .dns("*.wild.example.com") ? .dns("one.wild.example.com") : name
            #expect(try fault(certificate, asked) == nil, "\(name.text)")
        }
        #expect(try fault(certificate, .dns("www.apple.com"))?.contains("ostname mismatch") == true)
        #expect(try fault(certificate, .address([127, 0, 0, 2]))?.contains("IP address mismatch") == true)
    }

    @Test(
        "the CA may sign reserved domains, private networks and the names given to it",
        arguments: [
            "a.localhost", "svc.internal", "a.b.test", "printer.local", "x.mynah", "new.push.apple.com", "127.9.9.9",
            "10.1.2.3", "172.31.255.1", "192.168.77.1", "169.254.1.1", "::1", "fd12::1", "fe80::1", "push.example.com",
            "203.0.113.9", "2001:db8::9", "deep.wild.example.com",
        ])
    func permitted(text: String) throws {
        #expect(try authority.permits(#require(CertificateName(text)), now: testNow))
    }

    @Test(
        "the CA may not sign other names",
        arguments: [
            "example.com", "www.apple.com", "apple.com", "push.apple.com.example.com", "mylocalhost", "localhost.com",
            "8.8.8.8", "11.0.0.1", "172.32.0.1", "192.169.0.1", "203.0.113.10", "2001:db8::a", "::2", "xtest",
        ])
    func notPermitted(text: String) throws {
        let name = try #require(CertificateName(text))
        #expect(try !authority.permits(name, now: testNow))
        let alone = try Certificate(der: authority.der).issue(
            .server([name], now: testNow, authorityEnds: authority.notAfter),
            for: serverKey.publicKey.subjectPublicKeyInfo, signedWith: #require(authority.key).pkcs8)
        #expect(try fault(alone.der(), nil)?.contains("permitted subtree violation") == true)
    }

    @Test("names outside of the constraints are left out, and the certificate is valid")
    func leftOut() throws {
        let names = try ["localhost", "outside.example.com", "127.0.0.1", "8.8.8.8"].map {
            try #require(CertificateName($0))
        }
        let (certificate, leftOut) = try issue(names)
        #expect(leftOut == [.dns("outside.example.com"), .address([8, 8, 8, 8])])
        #expect(try fault(certificate, .dns("localhost")) == nil)
        #expect(try fault(certificate, .address([127, 0, 0, 1])) == nil)
        #expect(try fault(certificate, .dns("outside.example.com")) != nil)
    }

    @Test("a server without any permitted name is an error, not an empty certificate")
    func nothingPermitted() throws {
        let error = try trustError { _ = try issue([.dns("outside.example.com")]) }
        #expect(error.code == .mismatch)
        #expect(error.description.contains("permitted subtree violation"))
    }

    @Test("certificates are backdated a day; a CA's lasts ten years, a server's less than 398 days")
    func validity() throws {
        let day: Int64 = 24 * 3600 * 1000
        let ca = try Certificate(der: authority.der)
        let server = try Certificate(der: issue([.dns("localhost")]).certificate)
        #expect(try ca.notBefore().milliseconds == testNow.milliseconds - day)
        #expect(try server.notBefore().milliseconds == testNow.milliseconds - day)
        #expect(try (ca.notAfter().milliseconds - ca.notBefore().milliseconds) / day == 3650)
        #expect(try (server.notAfter().milliseconds - server.notBefore().milliseconds) / day == 397)
        let areAuthorities = [ca.isAuthority, server.isAuthority]
        #expect(areAuthorities == [true, false])
    }

    @Test("a server's certificate does not outlive its CA")
    func endsWithAuthority() throws {
        let late = authority.notAfter.advanced(by: .seconds(-3600))
        let (certificate, _) = try authority.issueServer([.dns("localhost")], for: serverKey.publicKey, now: late)
        #expect(try Certificate(der: certificate).notAfter() == authority.notAfter)
    }

    @Test("clients refuse an expired certificate and one of another CA")
    func otherAuthority() throws {
        let (certificate, _) = try issue([.dns("localhost")])
        let afterwards = testNow.advanced(by: .seconds(400 * 24 * 3600))
        #expect(try fault(certificate, nil, at: afterwards)?.contains("expired") == true)
        let stranger = try CertificateAuthority.make([], now: testNow)
        #expect(try stranger.fault(of: certificate, at: testNow) != nil)
    }

    @Test("two CAs made in one second have different names and serial numbers")
    func distinct() throws {
        let other = try CertificateAuthority.make([], now: testNow)
        #expect(other.der != authority.der)
        // With one name for both keys OpenSSL would report a bad signature instead of an unknown issuer.
        let (certificate, _) = try issue([.dns("localhost")])
        #expect(try other.fault(of: certificate, at: testNow)?.contains("unable to get local issuer") == true)
    }

    @Test("a CA without its key permits nothing")
    func withoutKey() throws {
        let keyless = CertificateAuthority(der: authority.der, key: nil, notAfter: authority.notAfter)
        #expect(try !keyless.permits(.dns("localhost"), now: testNow))
    }

    @Test(
        "bytes that are not a certificate are refused",
        arguments: [[], [0x30], [0x30, 0x82, 0xFF, 0xFF, 0]] as [[UInt8]])
    func noCertificate(der: [UInt8]) throws {
        #expect(throws: TrustError.self) { _ = try Certificate(der: der).der() }
        #expect(throws: TrustError.self) { _ = try Certificate(der: authority.der + [0]).der() }
    }
}
