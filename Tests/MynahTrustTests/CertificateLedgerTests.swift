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
        #expect(try trust.ledger().items.isEmpty)
        let one = try issue(trust)
        let two = try issue(trust)
        for issued in [one, two] { try trust.record(CertificateLedger.item(issued, at: testNow)) }
        let ledger = try trust.updateLedger { (ledger) throws(TrustError) in
            let revoked = ledger.revoke(serialNumber: one.identity.serialNumber.lowercased(), at: later)
            #expect(revoked?.revokedAt == later)
        }
        #expect(alert(one, trust.providerAuthorities) == nil)

        let again = try open()
        let kept = try again.ledger()
        #expect(kept == ledger)
        #expect(kept.items.map(\.pem) == [one.certificatePEM, two.certificatePEM])
        #expect(kept.items.map(\.revokedAt) == [later, nil])
        #expect(alert(one, again.providerAuthorities) == .certificateRevoked)
        #expect(alert(two, again.providerAuthorities) == nil)
        #expect(again.providerAuthorities.isRevoked(one.identity))
        for issued in [one, two] {
            #expect(try folder.read("state/provider-\(issued.identity.serialNumber).pem") == issued.certificatePEM)
        }
        let text = try folder.read("state/provider-certificates.json")
        let lines = text.split(separator: "\n")
        #expect(lines.count == 5 && lines[1].contains(one.identity.serialNumber))
        #expect(try JSONValue(parsing: text).array?.count == 3)
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
        let count = ledger.changeCount
        for item in before.items { ledger.add(item) }
        #expect(ledger.changeCount == count && ledger.changes(after: count - 1) == ledger.items)
        #expect(before != ledger && ledger.has(before.items[0]) && !before.has(ledger.items[0]))
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
        let again = try TrustMaterial.open(
            stateDirectory: folder("state"), providerCAFiles: [folder("foreign.pem")], now: testNow)
        guard case .failure(let fault) = again.providerAuthorities.verdict(on: [own], at: testNow) else {
            Issue.record("the certificate was accepted")
            return
        }
        #expect(fault.alert == .certificateRevoked)
        #expect(try again.ledger() == ledger)
    }

    @Test("two writers do not lose each other's entries")
    func joined() throws {
        let one = try open()
        let two = try open()
        let first = try issue(one)
        let second = try issue(two)
        var fileOne = one.ledgerFile
        var fileTwo = two.ledgerFile
        let item = CertificateLedger.item(first, at: testNow)
        try fileOne.append([item, item.revoked(at: testNow)])
        try fileTwo.append([CertificateLedger.item(second, at: testNow), item])
        for _ in 1...2 {
            try fileOne.readOn()
            #expect(fileOne.ledger.items.count == 2 && fileOne.ledger.changeCount == 3)
        }
        let kept = try open().ledger()
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
                    try mine.record(CertificateLedger.item(issued, at: testNow))
                    guard number % 2 == 0 else { return }
                    _ = try trust.updateLedger { (ledger) throws(TrustError) in
                        _ = ledger.revoke(serialNumber: issued.identity.serialNumber, at: testNow)
                    }
                }
            }
            try await group.waitForAll()
        }
        let ledger = try open().ledger()
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
        #expect(try open().ledger().items.isEmpty)
    }

    @Test("without a folder nothing is stored, and nothing fails")
    func inMemory() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        let one = try issue(trust)
        let ledger = try trust.updateLedger { (ledger) throws(TrustError) in ledger.add(one, at: testNow) }
        #expect(ledger.items.count == 1)
        var file = trust.ledgerFile
        try file.append(ledger.items)
        try file.readOn()
        #expect(file.ledger == ledger && file.whole.ledger == ledger)
    }

    @Test(
        "a broken ledger is an error that names the file and the place",
        arguments: [
            ("[\n{\n", "no certificate's entry in line 2"),
            ("[1]", "no certificate's entry in line 1"), ("[\n  {},\n", "no certificate in base64 in line 2"),
            ("[\n  {x}\n]\n", "is not JSON in line 2"),
            (#"[{"certificate": "%"}]"#, "no certificate in base64 in line 1"),
            (#"[{"certificate": "AAAA", "issuedAt": "2026-11-21T09:30:00Z"}]"#, "a broken certificate in line 1"),
            (#"[{"certificate": "AAAA"}]"#, "no time in line 1, member `issuedAt`"),
        ])
    func broken(text: String, problem: String) throws {
        _ = try open()
        try folder.write(text, to: "state/provider-certificates.json")
        let error = try trustError { _ = try open().ledger() }
        #expect(error.code == .malformed)
        #expect(error.file == folder("state/provider-certificates.json"))
        #expect(error.problem.contains(problem), "\(error)")
    }

    @Test(
        "what a crash leaves of an entry is ignored, and overwritten by the next one",
        arguments: [0, 1, 2, 5, 40, 400, 900, -4, -3, -2, -1])
    func torn(count: Int) throws {
        let trust = try open()
        let one = try issue(trust)
        let two = try issue(trust)
        let three = try issue(trust)
        try trust.record(CertificateLedger.item(one, at: testNow))
        let before = try folder.read("state/provider-certificates.json")
        try trust.record(CertificateLedger.item(two, at: testNow))
        let whole = try folder.read("state/provider-certificates.json")
        let place = whole.index(before.endIndex, offsetBy: -3)
        let entry = whole[place...]
        let torn = before.dropLast(3) + (count < 0 ? entry.dropLast(-count) : entry.prefix(count))
        try folder.write(String(torn), to: "state/provider-certificates.json")
        let kept = (-3..<0).contains(count) ? [one, two] : [one]
        #expect(try open().ledger().items.map(\.identity) == kept.map(\.identity))
        try trust.record(CertificateLedger.item(three, at: testNow))
        #expect(try open().ledger().items.map(\.identity) == (kept + [three]).map(\.identity))
        let text = try folder.read("state/provider-certificates.json")
        #expect(try JSONValue(parsing: text).array?.count == kept.count + 1, "\(text)")
    }

    @Test("entries in forms of editors are read, and others are added behind them")
    func forms() throws {
        let trust = try open()
        let one = try issue(trust)
        let two = try issue(trust)
        try trust.record(CertificateLedger.item(one, at: testNow).revoked(at: later))
        let text = try folder.read("state/provider-certificates.json")
        let entry = text.split(separator: "\n")[1].drop { $0 == " " }
        for form in ["\u{FEFF}" + text, text.replacing("\n", with: "\r\n"), "[\(entry)]", "[ \(entry) ]\n\n"] {
            try folder.write(form, to: "state/provider-certificates.json")
            #expect(try alert(one, open().providerAuthorities) == .certificateRevoked)
            try trust.record(CertificateLedger.item(two, at: testNow))
            #expect(try open().ledger().items.map(\.identity) == [one.identity, two.identity], "\(form)")
        }
        try folder.write("[]\n", to: "state/provider-certificates.json")
        try trust.record(CertificateLedger.item(two, at: testNow))
        #expect(try open().ledger().items.map(\.identity) == [two.identity])
    }

    @Test("adding an entry writes no other, and reading on reads only new ones")
    func growth() throws {
        let trust = try open()
        var file = trust.ledgerFile
        for _ in 1...3 { try file.append([CertificateLedger.item(try issue(trust), at: testNow)]) }
        try file.readOn()
        // What was read is not looked at again: this would be an error.
        let text = try folder.read("state/provider-certificates.json")
        let first = text.split(separator: "\n")[1]
        try folder.write(
            text.replacing(first, with: String(repeating: "x", count: first.count)),
            to: "state/provider-certificates.json")
        try file.append([CertificateLedger.item(try issue(trust), at: testNow)])
        try file.readOn()
        #expect(file.ledger.items.count == 4)
        #expect(throws: TrustError.self) { try trust.ledger() }
    }

    @Test("an entry with a broken time is an error that names it", arguments: ["issuedAt", "revokedAt"])
    func brokenTime(member: String) throws {
        let trust = try open()
        let one = try issue(trust)
        _ = try trust.updateLedger { (ledger) throws(TrustError) in
            ledger.revoke(one.identity, pem: one.certificatePEM, at: testNow)
        }
        let text = try folder.read("state/provider-certificates.json")
        let good = "\"\(member)\":\"\(testNow.rfc3339)\""
        #expect(text.contains(good))
        try folder.write(
            text.replacing(good, with: "\"\(member)\":\"yesterday\""), to: "state/provider-certificates.json")
        let error = try trustError { _ = try open().ledger() }
        #expect(error.problem.contains("line 2, member `\(member)`"), "\(error)")
    }
}

extension CertificateLedger {
    fileprivate static func item(_ issued: IssuedProviderCertificate, at now: Instant) -> Item {
        Item(identity: issued.identity, pem: issued.certificatePEM, issuedAt: now)
    }

    /// Adds an issued certificate unless it has an entry.
    fileprivate mutating func add(_ issued: IssuedProviderCertificate, at now: Instant) {
        add(CertificateLedger.item(issued, at: now))
    }
}
