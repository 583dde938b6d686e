import APNsRules
import Testing

@testable import MynahTrust

@Suite("Which provider certificates are accepted")
struct ProviderAuthoritiesTests {
    let root: Workshop
    let authorities: ProviderAuthorities

    init() throws {
        root = try Workshop()
        authorities = ProviderAuthorities([root.der])
    }

    private func fault(
        _ chain: [[UInt8]], _ authorities: ProviderAuthorities? = nil, at now: Instant = testNow
    ) throws -> CertificateFault {
        let verdict = (authorities ?? self.authorities).verdict(on: chain, at: now)
        guard case .failure(let fault) = verdict else {
            Issue.record("\(verdict) is not a refusal")
            throw NotRefused()
        }
        #expect(!fault.problem.isEmpty && !fault.problem.hasSuffix("."))
        return fault
    }
    private struct NotRefused: Error {}

    private func isTrusted(_ chain: [[UInt8]], _ authorities: ProviderAuthorities? = nil) -> Bool {
        guard case .success = (authorities ?? self.authorities).verdict(on: chain, at: testNow) else { return false }
        return true
    }

    private let second: Duration = .seconds(1)

    @Test("P-256 and RSA keys are both accepted")
    func algorithms() throws {
        let rsa = try #require(PEM.blocks(in: CertificateFixtures.rsa).first?.der)
        #expect(try isTrusted([root.sign()]))
        #expect(try isTrusted([root.sign(key: rsa)]))
        let middle = try root.intermediate(key: rsa)
        #expect(try isTrusted([middle.sign(key: rsa), middle.der]))
    }

    @Test("an intermediate CA can be trusted without its root")
    func partialChain() throws {
        let middle = try root.intermediate("Worldwide Developer Relations")
        let trusted = ProviderAuthorities([middle.der])
        #expect(trusted.authorities.map(ProviderAuthorities.named) == ["CN=Worldwide Developer Relations"])
        let own = try middle.sign()
        #expect(isTrusted([own], trusted))
        #expect(isTrusted([own, middle.der], trusted))
        #expect(isTrusted([own, middle.der, root.der], trusted))
        #expect(try fault([own], authorities).alert == .unknownCA)
        #expect(isTrusted([own, middle.der], authorities))
    }

    @Test("structural authentication accepts any certificate that is valid now and not revoked")
    func structural() throws {
        func verdict(_ der: [UInt8], revoked: Set<RevokedSerial> = []) -> CertificateVerdict {
            ProviderAuthorities(revoked: revoked).verdict(on: [der], at: testNow, authentication: .structural)
        }
        func alert(_ verdict: CertificateVerdict) -> CertificateFault.Alert? {
            if case .failure(let fault) = verdict { fault.alert } else { nil }
        }
        let named = try verdict(root.sign()).get()
        #expect(named.topics.map(\.name) == ["com.example.app"])
        let nameless = try root.sign(subject: [("CN", "x")], base: [])
        for der in [nameless, root.der, try root.sign(extensions: [Workshop.list([0x30, 0x00])])] {
            let identity = try verdict(der).get()
            #expect(identity.topics.isEmpty && identity.environment == .both && !identity.subject.isEmpty)
        }
        let identity = try verdict(nameless).get()
        #expect(alert(verdict(nameless, revoked: [RevokedSerial(identity)])) == .certificateRevoked)
        let late = try root.sign(to: testNow.advanced(by: .zero - second))
        #expect(alert(verdict(late)) == .certificateExpired)
        #expect(alert(verdict(try root.sign(from: testNow.advanced(by: second)))) == .badCertificate)
        #expect(alert(verdict([1, 2, 3])) == .badCertificate)
        #expect(
            alert(ProviderAuthorities().verdict(on: [], at: testNow, authentication: .structural)) == .badCertificate)
    }

    @Test("Apple's extensions may be critical, unknown ones may not")
    func criticalExtensions() throws {
        let apple: Workshop.Extensions =
            ProviderExtension.allCases.filter { $0 != .topics }.map { ($0.rawValue, "critical,ASN1:NULL") }
        let list = Workshop.list(DER.sequence(DER.pair("com.example.app", "app")))
        let critical = (name: list.name, value: "critical,\(list.value)")
        #expect(try isTrusted([root.sign(extensions: apple + [critical])]))
        #expect(try isTrusted([root.sign(extensions: [("1.2.840.113635.100.6.3.7", "ASN1:NULL")])]))
        let unknown = try root.sign(extensions: apple + [("1.2.840.113635.100.6.3.7", "critical,ASN1:NULL")])
        let refusal = CertificateFault(
            .badCertificate, "unknown critical extension 1.2.840.113635.100.6.3.7")
        #expect(try fault([unknown]) == refusal)
        let odd = try root.intermediate(extensions: Workshop.usualAuthority + [("1.2.3.4", "critical,ASN1:NULL")])
        #expect(try fault([odd.sign(), odd.der]).problem.contains("1.2.3.4"))
    }

    @Test("an expired certificate, or an expired CA, gives certificate_expired")
    func expired() throws {
        // To OpenSSL the certificate has already expired in its last second.
        #expect(try isTrusted([root.sign(to: testNow.advanced(by: second))]))
        let own = try root.sign(to: testNow)
        let late = try fault([own], at: testNow.advanced(by: second))
        #expect(late.alert == .certificateExpired)
        #expect(late.problem.contains("UID=com.example.app") && late.problem.contains(testNow.rfc3339))
        let middle = try root.intermediate(to: testNow.advanced(by: .zero - second))
        let ofCA = try fault([middle.sign(), middle.der])
        #expect(ofCA.alert == .certificateExpired && ofCA.problem.contains("the CA CN=Test intermediate"))
        let old = try Workshop("Old root", to: testNow.advanced(by: .zero - second))
        #expect(try fault([old.sign()], ProviderAuthorities([old.der])).alert == .certificateExpired)
    }

    @Test("a certificate that is not yet valid gives bad_certificate")
    func notYetValid() throws {
        let own = try root.sign(from: testNow.advanced(by: second))
        let early = try fault([own])
        #expect(early.alert == .badCertificate)
        #expect(early.problem.contains("is not valid before 2026-01-01T00:00:01.000Z"))
    }

    @Test("a certificate of another CA, a self-signed one, a chain with a gap, or no CAs give unknown_ca")
    func unknownAuthority() throws {
        let stranger = try Workshop("Stranger")
        #expect(try fault([stranger.sign()]).alert == .unknownCA)
        #expect(try fault([stranger.sign(), stranger.der]).alert == .unknownCA)
        let lone = try Workshop("Lone", extensions: Workshop.usualProvider)
        #expect(try fault([lone.der]).alert == .unknownCA)
        let (one, two) = try (root.intermediate("one"), root.intermediate("two").intermediate("three"))
        #expect(try fault([two.sign(), one.der]).alert == .unknownCA)
        #expect(try fault([root.sign()], ProviderAuthorities()).alert == .unknownCA)
        let leaf = try root.sign()
        let notACA = try Workshop("x", extensions: Workshop.usualProvider)
        #expect(try fault([notACA.sign(), notACA.der, leaf]).alert == .unknownCA)
    }

    @Test("a CA with a trusted name but another key is not trusted")
    func sameName() throws {
        let twin = try Workshop()
        let alert = try fault([twin.sign()]).alert
        #expect(alert == .badCertificate)
    }

    @Test("a chain of four certificates is accepted, and five give unknown_ca")
    func chainLength() throws {
        let one = try root.intermediate("1")
        let two = try root.intermediate("1").intermediate("2")
        let deep = try one.intermediate("2")
        let deeper = try deep.intermediate("3")
        #expect(try isTrusted([deep.sign(), deep.der, one.der, root.der]))
        #expect(try isTrusted([deeper.sign(), deeper.der, deep.der, one.der]))
        let long = try fault([deeper.sign(), deeper.der, deep.der, one.der, root.der])
        #expect(long.alert == .unknownCA)
        #expect(long.problem == "the chain has 5 certificates; at most 4 are allowed")
        #expect(try fault([two.sign(), two.der]).alert == .unknownCA)
    }

    @Test(
        "a usage other than a client's gives unsupported_certificate",
        arguments: [
            [("extendedKeyUsage", "serverAuth")], [("keyUsage", "critical,keyEncipherment")],
            [("extendedKeyUsage", "critical,codeSigning"), ("keyUsage", "digitalSignature")],
        ] as [[(String, String)]])
    func wrongUse(extensions: [(String, String)]) throws {
        let own = try root.sign(base: extensions.map { (name: $0.0, value: $0.1) })
        #expect(try fault([own]).alert == .unsupportedCertificate)
    }

    @Test("a certificate without usages is accepted, as old ones have none")
    func noUseStated() throws {
        #expect(try isTrusted([root.sign(base: [])]))
    }

    @Test("a CA's own certificate is not accepted as a provider's")
    func authorityAsLeaf() throws {
        let usage: Workshop.Extensions = [
            ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "keyCertSign,digitalSignature"),
        ]
        let middle = try root.intermediate(extensions: usage)
        let shown = try fault([middle.der])
        #expect(shown.alert == .unsupportedCertificate && shown.problem.contains("is a CA's"))
        #expect(try fault([root.der]).alert == .unsupportedCertificate)
        let mixed: Workshop.Extensions = [("basicConstraints", "CA:TRUE"), ("keyUsage", "digitalSignature")]
        #expect(try fault([root.sign(base: mixed)]).alert == .unsupportedCertificate)
    }

    @Test("a CA below a path length of 0 is not accepted")
    func pathLength() throws {
        let closed: Workshop.Extensions = [
            ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "keyCertSign"),
        ]
        let below = try root.intermediate(extensions: closed).intermediate("below")
        let closing = try root.intermediate(extensions: closed)
        let deep = try closing.intermediate("below")
        #expect(try fault([deep.sign(), deep.der, closing.der]).alert == .unknownCA)
        #expect(try fault([below.sign(), below.der]).alert == .unknownCA)
    }

    @Test("a certificate is revoked by its CA and serial number together")
    func revoked() throws {
        let own = try root.sign()
        let other = try root.sign()
        let identity = try ProviderCertificate.identity(of: own)
        let revoking = ProviderAuthorities([root.der], revoked: [RevokedSerial(identity)])
        let refusal = try fault([own], revoking)
        #expect(refusal.alert == .certificateRevoked && refusal.problem.contains(identity.serialNumber))
        #expect(revoking.isRevoked(identity))
        #expect(isTrusted([other], revoking))
        let sameNumber = CertificateIdentity(
            subject: identity.subject, subjectID: nil, topics: [], environment: .both,
            serialNumber: identity.serialNumber, notBefore: testNow, notAfter: testNow, issuer: "CN=Another")
        #expect(!revoking.isRevoked(sameNumber))
        #expect(isTrusted([own], ProviderAuthorities([root.der], revoked: [RevokedSerial(sameNumber)])))
    }

    @Test("expiry is checked before revocation, and revocation before the contents")
    func order() throws {
        let list = Workshop.list([0x30, 0x00])
        let broken = try root.sign(extensions: [list])
        #expect(try fault([broken]).alert == .badCertificate)
        let serial = try RevokedSerial(Certificate(der: broken))
        #expect(try fault([broken], ProviderAuthorities([root.der], revoked: [serial])).alert == .certificateRevoked)
        let old = try root.sign(to: testNow)
        let gone = ProviderAuthorities([root.der], revoked: [RevokedSerial(try .init(der: old))])
        #expect(try fault([old], gone, at: testNow.advanced(by: second)).alert == .certificateExpired)
    }

    @Test("an empty chain, or bytes that are not a certificate, give bad_certificate")
    func garbage() throws {
        #expect(try fault([]) == CertificateFault(.badCertificate, "the chain is empty"))
        #expect(try fault([[0x30]]).alert == .badCertificate)
        #expect(try fault([root.sign(), [1, 2, 3]]).alert == .badCertificate)
    }

    @Test("the PEM for the CertificateRequest has all readable CAs")
    func pem() throws {
        let middle = try root.intermediate()
        let both = ProviderAuthorities([root.der, [1], middle.der])
        #expect(PEM.blocks(in: both.pem).map(\.der) == [root.der, middle.der])
        #expect(both.authorities.map(ProviderAuthorities.named) == ["CN=Test root", "CN=Test intermediate"])
        #expect(ProviderAuthorities().pem.isEmpty)
    }
}
