import APNsRules
import Testing

@testable import MynahTrust

@Suite("The ledger of provider certificates")
struct CertificateLedgerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> TrustMaterial {
        try TrustMaterial.open(stateDirectory: folder("state"), now: testNow)
    }

    private func issue(_ trust: TrustMaterial, _ topic: String = "com.example.app") throws -> IssuedProviderCertificate
    {
        try trust.issueProvider(
            ProviderCertificateRequest(
                topics: [topic], notBefore: testNow, notAfter: testNow.advanced(by: .seconds(3600))))
    }

    private func alert(_ issued: IssuedProviderCertificate, _ authorities: ProviderAuthorities) -> CertificateFault
        .Alert?
    {
        let chain = PEM.blocks(in: issued.certificatePEM).compactMap(\.der)
        guard case .failure(let fault) = authorities.verdict(on: chain, at: testNow) else { return nil }
        return fault.alert
    }

    private let later = testNow.advanced(by: .seconds(60))

    @Test("issued and revoked certificates are kept across a restart, and revocations apply")
    func persistence() throws {
        let trust = try open()
        #expect(trust.ledger.items.isEmpty)
        let (one, two) = (try issue(trust), try issue(trust))
        var ledger = trust.ledger
        ledger.add(one, at: testNow)
        ledger.add(two, at: testNow)
        let revoked = ledger.revoke(serialNumber: one.identity.serialNumber.lowercased(), at: later)
        #expect(revoked?.revokedAt == later)
        #expect(try trust.save(ledger))
        #expect(alert(one, trust.providerAuthorities) == nil)
        #expect(alert(one, trust.authorities(with: ledger)) == .certificateRevoked)

        let again = try open()
        #expect(again.ledger == ledger)
        #expect(again.ledger.items.map(\.pem) == [one.certificatePEM, two.certificatePEM])
        #expect(again.ledger.items.map(\.revokedAt) == [later, nil])
        #expect(alert(one, again.providerAuthorities) == .certificateRevoked)
        #expect(alert(two, again.providerAuthorities) == nil)
        #expect(again.providerAuthorities.isRevoked(one.identity))
        for issued in [one, two] {
            #expect(try folder.read("state/provider-\(issued.identity.serialNumber).pem") == issued.certificatePEM)
        }
        let lines = try folder.read("state/provider-certificates.json").split(separator: "\n")
        #expect(lines.count == 4 && lines[1].contains(one.identity.serialNumber))
        #expect(try folder.mode("state/provider-certificates.json") == 0o644)
    }

    @Test("a revocation is permanent and keeps its first time, and unknown numbers are ignored")
    func revoking() throws {
        let trust = try open()
        let one = try issue(trust)
        var ledger = CertificateLedger()
        let unknown = ledger.revoke(serialNumber: one.identity.serialNumber, at: testNow)
        #expect(unknown == nil)
        ledger.add(one, at: testNow)
        let before = ledger
        _ = ledger.revoke(serialNumber: one.identity.serialNumber, at: testNow)
        let again = ledger.revoke(serialNumber: one.identity.serialNumber, at: later)
        #expect(again?.revokedAt == testNow)
        ledger.add(one, at: later)
        #expect(ledger.items.count == 1 && ledger.items[0].revokedAt == testNow && ledger.items[0].issuedAt == testNow)
        #expect(before.merging(ledger) == ledger && ledger.merging(before) == ledger)
    }

    @Test("a certificate of another CA is added when it is revoked")
    func foreign() throws {
        let workshop = try Workshop("Foreign CA")
        try folder.write(PEM.encode(workshop.der, label: "CERTIFICATE"), to: "foreign.pem")
        let own = try workshop.sign()
        let identity = try ProviderCertificate.identity(of: own)
        let trust = try TrustMaterial.open(
            stateDirectory: folder("state"), providerCAFiles: [folder("foreign.pem")], now: testNow)
        #expect(trust.providerAuthorities.authorities.last.map(ProviderAuthorities.named) == "CN=Foreign CA")
        #expect(trust.providerAuthorities.verdict(on: [own], at: testNow) == .success(identity))
        let ledger = try trust.updateLedger { (ledger) throws(TrustError) in
            ledger.revoke(identity, pem: PEM.encode(own, label: "CERTIFICATE"), at: later)
        }
        guard case .failure(let fault) = trust.authorities(with: ledger).verdict(on: [own], at: testNow) else {
            Issue.record("the certificate was accepted")
            return
        }
        #expect(fault.alert == .certificateRevoked)
        #expect(try open().ledger == ledger)
    }

    @Test("two writers do not lose each other's entries")
    func joined() throws {
        let (one, two) = (try open(), try open())
        let (first, second) = (try issue(one), try issue(two))
        var (ledgerOne, ledgerTwo) = (one.ledger, two.ledger)
        ledgerOne.add(first, at: testNow)
        _ = ledgerOne.revoke(serialNumber: first.identity.serialNumber, at: testNow)
        ledgerTwo.add(second, at: testNow)
        ledgerTwo.add(first, at: testNow)
        try one.save(ledgerOne)
        try two.save(ledgerTwo)
        let kept = try open().ledger
        #expect(kept.items.count == 2)
        #expect(kept.revokedSerials == [RevokedSerial(first.identity)])
    }

    @Test("many concurrent writers lose nothing")
    func concurrent() async throws {
        let state = folder("state")
        let trust = try open()
        let request = try ProviderCertificateRequest(
            topics: ["a.b"], notBefore: testNow, notAfter: testNow.advanced(by: .seconds(3600)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let mine = try TrustMaterial.open(stateDirectory: state, now: testNow)
                    let issued = try mine.issueProvider(request)
                    _ = try mine.updateLedger { (ledger) throws(TrustError) in ledger.add(issued, at: testNow) }
                    guard number % 2 == 0 else { return }
                    _ = try trust.updateLedger { (ledger) throws(TrustError) in
                        _ = ledger.revoke(serialNumber: issued.identity.serialNumber, at: testNow)
                    }
                }
            }
            try await group.waitForAll()
        }
        let ledger = try open().ledger
        #expect(ledger.items.count == 12)
        #expect(ledger.revokedSerials.count == 6)
        #expect(try folder.names(in: "state").allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("a change that throws writes nothing")
    func thrown() throws {
        let trust = try open()
        let one = try issue(trust)
        let error = try trustError {
            _ = try trust.updateLedger { (ledger) throws(TrustError) in
                ledger.add(one, at: testNow)
                throw TrustError(.badSetting, "no", remedy: "")
            }
        }
        #expect(error.problem == "no")
        #expect(try open().ledger.items.isEmpty)
    }

    @Test("without a folder nothing is stored, and nothing fails")
    func inMemory() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        let one = try issue(trust)
        let ledger = try trust.updateLedger { (ledger) throws(TrustError) in ledger.add(one, at: testNow) }
        #expect(ledger.items.count == 1)
        #expect(try trust.save(ledger) == false)
    }

    @Test(
        "a broken ledger is an error that names the file and the place",
        arguments: [
            ("[\n{\n", "is not JSON in line 3"), ("{}", "is an object: expected an array"),
            ("[1]", "has no certificate in base64 in entry 1"),
            (#"[{"certificate": "%"}]"#, "has no certificate in base64 in entry 1"),
            (#"[{"certificate": "AAAA"}]"#, "has a broken certificate in entry 1"),
        ])
    func broken(text: String, problem: String) throws {
        _ = try open()
        try folder.write(text, to: "state/provider-certificates.json")
        let error = try trustError { _ = try open() }
        #expect(error.code == .malformed)
        #expect(error.file == folder("state/provider-certificates.json"))
        #expect(error.problem.contains(problem), "\(error)")
    }

    @Test("an entry with a broken time is an error that names it", arguments: ["issuedAt", "revokedAt"])
    func brokenTime(member: String) throws {
        let trust = try open()
        let one = try issue(trust)
        var ledger = trust.ledger
        ledger.revoke(one.identity, pem: one.certificatePEM, at: testNow)
        try trust.save(ledger)
        let text = try folder.read("state/provider-certificates.json")
        let good = "\"\(member)\":\"\(testNow.rfc3339)\""
        #expect(text.contains(good))
        try folder.write(
            text.replacing(good, with: "\"\(member)\":\"yesterday\""), to: "state/provider-certificates.json")
        let error = try trustError { _ = try open() }
        #expect(error.problem.contains("entry 1, member `\(member)`"), "\(error)")
    }
}

extension CertificateLedger {
    /// Adds an issued certificate unless it has an entry.
    fileprivate mutating func add(_ issued: IssuedProviderCertificate, at now: Instant) {
        add(Item(identity: issued.identity, pem: issued.certificatePEM, issuedAt: now))
    }
}
