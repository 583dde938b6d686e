import APNsRules
import Testing

@testable import MynahTrust

/// A list of topics that is refused, and a part of the error.
struct BrokenList: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let content: [UInt8]
    let fault: String

    init(_ name: String, _ content: [UInt8], _ fault: String) {
        self.testDescription = name
        self.content = content
        self.fault = fault
    }

    private static let long = String(repeating: "a", count: 256)

    static let all = [
        BrokenList("no bytes", [], "ends at byte 0, where the list was expected"),
        BrokenList("no list", DER.text("com.example.app"), "other than a SEQUENCE at byte 0"),
        BrokenList("an empty list", DER.sequence(), "has no topic"),
        BrokenList("further bytes", DER.sequence(DER.pair("a.b", "app")) + [0], "trailing bytes after the list"),
        BrokenList("cut off", Array(DER.sequence(DER.pair("a.b", "app")).dropLast()), "broken or cut off at byte 0"),
        BrokenList("a length that lies", [0x30, 0x7F, 0x0C, 0x01, 0x61], "broken or cut off at byte 0"),
        BrokenList("a length beyond all memory", [0x30, 0x88] + Array(repeating: 0xFF, count: 8), "broken or cut off"),
        BrokenList("indefinite length", [0x30, 0x80, 0x0C, 0x01, 0x61, 0, 0], "indefinite length at byte 0"),
        BrokenList("a SET for the list", [0x31, 0x02, 0x0C, 0x00], "other than a SEQUENCE at byte 0"),
        BrokenList("a primitive SEQUENCE", [0x10, 0x00], "other than a SEQUENCE at byte 0"),
        BrokenList("a list of another class", [0x70, 0x00], "other than a SEQUENCE at byte 0"),
        BrokenList("a tag cut off", [0x30, 0x01, 0x1F], "broken or cut off at byte 2"),
        BrokenList(
            "an IA5String for a topic", DER.sequence(DER.element(0x16, [0x61]), DER.sequence(DER.text("app"))),
            "other than a UTF8String at byte 2, where a topic was expected"),
        BrokenList(
            "a constructed UTF8String", DER.sequence(DER.element(0x2C, DER.text("a"))), "other than a UTF8String"),
        BrokenList("a topic without a kind", DER.sequence(DER.text("a.b")), "has the topic a.b without a kind"),
        BrokenList(
            "two topics, one kind", DER.sequence(DER.text("a.b"), DER.text("c.d"), DER.sequence(DER.text("app"))),
            "other than a SEQUENCE at byte 7, where the kind of a.b was expected"),
        BrokenList("a kind before its topic", DER.sequence(DER.sequence(DER.text("app"))), "other than a UTF8String"),
        BrokenList(
            "no kind in the kind", DER.sequence(DER.text("a.b"), DER.sequence()), "where the kind of a.b was expected"),
        BrokenList("an empty kind", DER.sequence(DER.pair("a.b", "")), "kind of a.b that is not UTF-8 of 1 to 255"),
        BrokenList("a long kind", DER.sequence(DER.pair("a.b", long)), "kind of a.b that is not UTF-8 of 1 to 255"),
        BrokenList(
            "a kind that is not UTF-8",
            DER.sequence(DER.text("a.b"), DER.sequence(DER.element(0x0C, [0xC3]))), "kind of a.b that is not UTF-8"),
        BrokenList(
            "a topic that is not UTF-8", DER.sequence(DER.element(0x0C, [0xFF]), DER.sequence(DER.text("app"))),
            "a topic that is not UTF-8"),
        BrokenList("an empty topic", DER.sequence(DER.pair("", "app")), "\"\", which is not a well-formed topic"),
        BrokenList("a long topic", DER.sequence(DER.pair(long, "app")), "a…\", which is not a well-formed topic"),
        BrokenList("a slash", DER.sequence(DER.pair("a/b", "app")), "\"a/b\", which is not a well-formed topic"),
        BrokenList("a NUL", DER.sequence(DER.pair("a\0b", "app")), "\"a?b\", which is not a well-formed topic"),
        BrokenList(
            "too many topics", DER.sequence((0...100).flatMap { DER.pair("a.\($0)", "app") }), "more than 100 topics"),
        BrokenList(
            "too many bytes", Array(repeating: 0x30, count: ProviderExtension.bytesMax + 1),
            "has 65537 bytes; at most 65536 are read"),
    ]
}

@Suite("Reading provider certificates")
struct ProviderCertificateTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func identity(
        _ extensions: Workshop.Extensions = [],
        subject: [(name: String, value: String)] = [("UID", "com.example.app"), ("CN", "x")]
    ) throws -> CertificateIdentity {
        try ProviderCertificate.identity(of: workshop.sign(subject: subject, extensions: extensions))
    }

    private func fault(_ body: () throws -> CertificateIdentity) throws -> CertificateFault {
        try #require(throws: CertificateFault.self) { _ = try body() }
    }

    @Test("the extension with the list of topics is written and read byte by byte")
    func layout() throws {
        let topics = [
            CertificateIdentity.ListedTopic("com.example.app", kind: "app"),
            CertificateIdentity.ListedTopic("com.example.app.voip", kind: "voip"),
            CertificateIdentity.ListedTopic("com.example.app.complication", kind: "complication"),
        ]
        let bytes =
            [0x30, 0x64]
            + [0x0C, 0x0F] + Array("com.example.app".utf8) + [0x30, 0x05, 0x0C, 0x03] + Array("app".utf8)
            + [0x0C, 0x14] + Array("com.example.app.voip".utf8) + [0x30, 0x06, 0x0C, 0x04] + Array("voip".utf8)
            + [0x0C, 0x1C] + Array("com.example.app.complication".utf8)
            + [0x30, 0x0E, 0x0C, 0x0C] + Array("complication".utf8)
        #expect(ProviderTopicList.encode(topics) == bytes)
        #expect(try ProviderTopicList.read(bytes) == topics)
        let read = try identity([Workshop.list(bytes)])
        #expect(read.topics == topics)
        #expect(read.defaultTopic == nil)
    }

    @Test("long lists are written and read, up to the most topics of the most bytes")
    func longLists() throws {
        for count in [2, 10, ProviderTopicList.topicsMax] {
            let topics = (0..<count).map { number in
                let name = String(repeating: "a", count: 250) + "\(number)"
                return CertificateIdentity.ListedTopic(name, kind: String(repeating: "k", count: 255))
            }
            #expect(try ProviderTopicList.read(ProviderTopicList.encode(topics)) == topics)
        }
    }

    @Test("a kind may be followed by further elements")
    func furtherElements() throws {
        let list = DER.sequence(DER.text("a.b"), DER.sequence(DER.text("app"), DER.text("more"), DER.sequence()))
        #expect(try ProviderTopicList.read(list) == [CertificateIdentity.ListedTopic("a.b", kind: "app")])
    }

    @Test("a broken list gives bad_certificate and an error that names the fault", arguments: BrokenList.all)
    func brokenList(list: BrokenList) throws {
        let error = try #require(throws: CertificateFault.self) { try ProviderTopicList.read(list.content) }
        #expect(error.alert == .badCertificate)
        // The extension's writer takes no empty content.
        if !list.content.isEmpty {
            #expect(try fault { try identity([Workshop.list(list.content)]) } == error)
        }
        #expect(error.problem.hasPrefix("the topic list (1.2.840.113635.100.6.3.6) "))
        #expect(error.problem.contains(list.fault), "\(error.problem)")
    }

    @Test("without a list the UID is the topic, and the VoIP extension adds one")
    func topicsOfUID() throws {
        let voip = [(name: ProviderExtension.voip.rawValue, value: "ASN1:NULL")]
        let plain = try identity()
        #expect(plain.topics == [.init("com.example.app", kind: "app")])
        #expect(plain.defaultTopic == "com.example.app")
        #expect(try identity(voip).topics.map(\.name) == ["com.example.app", "com.example.app.voip"])
        let alone = try identity(voip, subject: [("UID", "com.example.app.voip")])
        #expect(alone.topics == [.init("com.example.app.voip", kind: "voip")])
        let listed = try identity(voip + [Workshop.list(DER.sequence(DER.pair("a.b", "app")))])
        #expect(listed.topics == [.init("a.b", kind: "app")])
        #expect(listed.subjectID == "com.example.app")
    }

    @Test("the two extensions name the environments; without them a certificate is valid in both")
    func environments() throws {
        let development = (name: ProviderExtension.development.rawValue, value: "ASN1:NULL")
        let production = (name: ProviderExtension.production.rawValue, value: "critical,ASN1:NULL")
        #expect(try identity().environment == .both)
        #expect(try identity([development]).environment == .sandbox)
        #expect(try identity([production]).environment == .production)
        #expect(try identity([production, development]).environment == .both)
    }

    @Test("subject, issuer, serial number and times are as the certificate has them")
    func facts() throws {
        let read = try identity(subject: [("UID", "com.example.app"), ("CN", "A, \"B\"\nÄ"), ("O", "x")])
        #expect(read.subject == #"UID=com.example.app,CN=A\, \"B\"\0AÄ,O=x"#)
        #expect(read.issuer == "CN=Test root")
        #expect(read.serialNumber.count == 32)
        #expect(read.serialNumber.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        #expect(read.notBefore == testNow.advanced(by: .zero - Workshop.year))
        #expect(read.notAfter == testNow.advanced(by: Workshop.year))
    }

    @Test("a repeated extension is refused", arguments: ProviderExtension.allCases)
    func duplicates(wanted: ProviderExtension) throws {
        let value =
            wanted == .topics ? Workshop.list(DER.sequence(DER.pair("a.b", "app"))) : (wanted.rawValue, "ASN1:NULL")
        let error = try fault { try identity([value, value]) }
        #expect(error == CertificateFault(.badCertificate, "\(wanted.name) occurs 2 times; at most once is allowed"))
    }

    @Test("a subject with no topic, two topics or a malformed one is refused")
    func subjects() throws {
        #expect(try fault { try identity(subject: [("CN", "x")]) }.problem.contains("CN=x names no topic"))
        #expect(try fault { try identity(subject: [("UID", "a b")]) }.problem.contains("not a well-formed topic"))
        let two = try fault { try identity(subject: [("UID", "a.b"), ("UID", "c.d")]) }
        #expect(two.problem.contains("has 2 UIDs"))
        let listed = try identity([Workshop.list(DER.sequence(DER.pair("a.b", "app")))], subject: [("CN", "x")])
        #expect(listed.subjectID == nil && listed.defaultTopic == "a.b")
    }

    @Test("bytes that are not a certificate are refused")
    func noCertificate() throws {
        let good = try workshop.sign()
        for der in [[], [0x30], good + [0], Array(good.dropLast()), Array(repeating: 0x30, count: 200_000)] {
            let error = try fault { try ProviderCertificate.identity(of: der) }
            #expect(error.alert == .badCertificate)
            #expect(error.problem.contains("cannot be read") || error.problem.contains("has 200000 bytes"))
        }
    }

    @Test("a certificate with any byte cut off or changed is read or refused, without a crash")
    func everyByte() throws {
        let list = Workshop.list(DER.sequence(DER.pair("com.example.app", "app")))
        let good = try workshop.sign(extensions: [list])
        var refused = 0
        for index in good.indices {
            var changed = good
            changed[index] ^= 0x21
            for der in [changed, Array(good[..<index])] {
                do throws(CertificateFault) {
                    _ = try ProviderCertificate.identity(of: der)
                } catch {
                    #expect(error.alert == .badCertificate && !error.problem.isEmpty)
                    refused += 1
                }
            }
        }
        #expect(refused > good.count)
    }
}
