import APNsRules
import Foundation
import Testing

@testable import MynahTrust

/// The inputs that fuzzing starts from, and past finds that broke the reader, in `fixtures/certificates`.
///
/// `certificate-good…` and `list-good…` must be read, and `…-bad…` refused. `UPDATE_CERTIFICATE_CORPUS=1` writes the
/// corpus.
@Suite("The corpus of certificates")
struct CertificateCorpusTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("fixtures/certificates")

    /// Larger files slow fuzzing down, and are tested elsewhere.
    private static let fileBytesMax = 8192

    private static func files(_ name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent(name), includingPropertiesForKeys: nil, options: .skipsHiddenFiles
        ).sorted { $0.path < $1.path }
    }

    private func isRead(_ body: () throws(CertificateFault) -> Void) -> Bool {
        do throws(CertificateFault) {
            try body()
            return true
        } catch {
            #expect(error.alert == .badCertificate && !error.problem.isEmpty)
            return false
        }
    }

    @Test("every file is read or refused as its name says")
    func corpus() throws {
        if ProcessInfo.processInfo.environment["UPDATE_CERTIFICATE_CORPUS"] == "1" { try write() }
        let files = try Self.files("corpus")
        #expect(files.count > 50)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            let name = file.lastPathComponent
            #expect(bytes.count <= Self.fileBytesMax, "\(name)")
            let certificate = isRead { () throws(CertificateFault) in _ = try ProviderCertificate.identity(of: bytes) }
            let list = isRead { () throws(CertificateFault) in _ = try ProviderTopicList.read(bytes) }
            #expect(certificate == name.hasPrefix("certificate-good"), "\(name)")
            #expect(list == name.hasPrefix("list-good"), "\(name)")
            #expect(["certificate-good", "certificate-bad", "list-good", "list-bad"].contains { name.hasPrefix($0) })
        }
    }

    @Test("every past find is now read or refused")
    func finds() throws {
        for file in try Self.files("finds") {
            let bytes = [UInt8](try Data(contentsOf: file))
            _ = isRead { () throws(CertificateFault) in _ = try ProviderCertificate.identity(of: bytes) }
            _ = isRead { () throws(CertificateFault) in _ = try ProviderTopicList.read(bytes) }
            guard case .failure = ProviderAuthorities().verdict(on: [bytes], at: testNow) else {
                Issue.record("\(file.lastPathComponent) was accepted without a known CA's signature")
                continue
            }
        }
    }

    // MARK: - Making the corpus

    private func write() throws {
        for file in try Self.files("corpus") { try FileManager.default.removeItem(at: file) }
        let workshop = try Workshop()
        for list in BrokenList.all where list.content.count <= Self.fileBytesMax / 2 {
            let name = list.testDescription.replacing(" ", with: "-").replacing(",", with: "")
            try keep(list.content, "list-bad-\(name)")
            guard !list.content.isEmpty else { continue }
            try keep(workshop.sign(extensions: [Workshop.list(list.content)]), "certificate-bad-list-\(name)")
        }
        for count in [1, 3, 20] {
            let topics = (0..<count).map { CertificateIdentity.ListedTopic("com.example.app\($0)", kind: "app") }
            let list = ProviderTopicList.encode(topics)
            try keep(list, "list-good-\(count)")
            try keep(workshop.sign(extensions: [Workshop.list(list)]), "certificate-good-list-\(count)")
        }
        try keep(
            DER.sequence(DER.text("a.b"), DER.sequence(DER.text("app"), DER.text("more"))), "list-good-further-elements"
        )
        let null = "ASN1:NULL"
        for wanted in ProviderExtension.allCases where wanted != .topics {
            try keep(workshop.sign(extensions: [(wanted.rawValue, null)]), "certificate-good-\(wanted)")
            let twice = [(name: wanted.rawValue, value: null), (name: wanted.rawValue, value: null)]
            try keep(workshop.sign(extensions: twice), "certificate-bad-\(wanted)-twice")
        }
        let rsa = try #require(PEM.blocks(in: CertificateFixtures.rsa).first?.der)
        try keep(workshop.sign(key: rsa), "certificate-good-rsa")
        try keep(workshop.sign(), "certificate-good-plain")
        try keep(workshop.sign(base: []), "certificate-good-no-extension")
        try keep(workshop.sign(subject: [("CN", "x")]), "certificate-bad-no-topic")
        try keep(workshop.sign(subject: [("UID", "a b")]), "certificate-bad-uid")
        try keep(workshop.sign(subject: [("UID", "a"), ("UID", "b")]), "certificate-bad-two-uids")
        try keep(workshop.der, "certificate-bad-ca")
        try mutations(of: workshop.sign())
        try apple()
    }

    // A certificate that Mynah issues, with all of Apple's extensions.
    private func apple() throws {
        let request = try ProviderCertificateRequest(
            topics: ["com.example.app"], voip: true, complication: true, notBefore: testNow,
            notAfter: testNow.advanced(by: .seconds(3600)))
        let issued = try TrustMaterial.open(stateDirectory: nil, now: testNow).issueProvider(request)
        try keep(#require(PEM.blocks(in: issued.certificatePEM).first?.der), "certificate-good-issued")
    }

    private func mutations(of good: [UInt8]) throws {
        try keep(good + [0], "certificate-bad-further-byte")
        for part in 1..<8 { try keep(Array(good.prefix(good.count * part / 8)), "certificate-bad-cut-\(part)") }
        for index in [0, 1, 4, 8] {
            var changed = good
            changed[index] ^= 0xFF
            try keep(changed, "certificate-bad-byte-\(index)")
        }
        // A UID that is no longer UTF-8.
        var changed = good
        let uid = try #require(good.firstRange(of: Array("com.example.app".utf8)))
        changed[uid.lowerBound] = 0xFF
        try keep(changed, "certificate-bad-uid-not-utf8")
    }

    private func keep(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: Self.folder.appendingPathComponent("corpus/\(name)"))
    }
}
