import APNsRules
import MynahCore
import MynahTrust
import Testing

@testable import MynahCLI

/// The rules of Apple's Web Push service against the cases of `fixtures/web-push`, without a server.
@Suite("The cases of the Web Push service")
struct WebPushCaseTests {
    @Test(
        "each request of the cases is answered as Apple does, with all that is wrong", arguments: try WebPushCase.all())
    func requestIsAnswered(_ fixture: WebPushCase) throws {
        let world = try WebPushWorld()
        let expected = try #require(fixture.json["expect"])
        let judgement = WebPushAdmission.judge(
            try world.request(of: fixture), in: world.context(of: fixture), verify: VapidProof.verify)
        #expect(judgement.status == expected["status"]?.integer.map(Int.init))
        #expect(judgement.refusal?.reason.rawValue == expected["reason"]?.string)
        expect(judgement.findings.refusals.map(\.cause), contain: expected["causes"], "cause")
        expect(judgement.findings.warnings, contain: expected["warnings"], "warning")
        if let mark = fixture.json["source"]?.string?.firstMatch(of: /\((\w+)\)$/), judgement.refusal != nil,
            fixture.file != "reports.yaml", !fixture.name.contains("wins over"), judgement.findings.refusals.count == 1
        {
            #expect(judgement.refusal?.evidence.rawValue == String(mark.1))
        }
    }

    @Test("each request of the cases is explained as it is answered, from its text", arguments: try WebPushCase.all())
    func requestIsExplained(_ fixture: WebPushCase) throws {
        let world = try WebPushWorld()
        let request = try world.request(of: fixture)
        let fields = request.fields.map { "\($0.name): \($0.value)" } + ["content-length: \(request.body.count)"]
        let lines = ["\(request.method) \(request.path) HTTP/1.1"] + fields + ["", ""]
        let text = try WebPushText(Array(lines.joined(separator: "\r\n").utf8) + request.body) { _ in nil }
        #expect(text.omissions.isEmpty && text.extent == .request)
        #expect(text.origin == world.origin)
        let context = world.context(of: fixture)
        let answered = WebPushAdmission.judge(request, in: context, verify: VapidProof.verify)
        let judged = WebPushAdmission.judge(text.request, in: context, verify: VapidProof.verify)
        #expect(judged.findings == answered.findings)
        let explained = WebPushExplanation(judged, of: text, in: context).json
        #expect(explained["status"] == fixture.json["expect"]?["status"])
        #expect(explained["reason"] ?? .null == fixture.json["expect"]?["reason"] ?? .null)
    }

    @Test("a message that is accepted can be decrypted")
    func acceptedMessageIsDecrypted() throws {
        var count = 0
        for fixture in try WebPushCase.all() where fixture.json["expect"]?["status"]?.integer == 201 {
            let world = try WebPushWorld()
            let judgement = WebPushAdmission.judge(
                try world.request(of: fixture), in: world.context(of: fixture), verify: VapidProof.verify)
            guard let message = judgement.message else { continue }
            let text = try world.subscription.decrypt(message)
            if fixture.json["request"]?["body"] == nil { #expect(text == Array("hello".utf8)) }
            count += 1
        }
        #expect(count > 20)
    }

    @Test("every reason of the service has a case, and every case a name of its own")
    func reasonsAreCovered() throws {
        let cases = try WebPushCase.all() + WebPushCase.all(messages: true)
        let reasons = Set(cases.compactMap { $0.json["expect"]?["reason"]?.string })
        // The others are those of connections, limits and faults.
        for reason in Reason.allCases where reason.isOfWebPush { #expect(reasons.contains(reason.rawValue)) }
        for reason in ["MethodNotAllowed", "BadPath", "Unregistered", "PayloadTooLarge"] {
            #expect(reasons.contains(reason))
        }
        #expect(Set(cases.map(\.name)).count == cases.count)
    }

    @Test("each message of the cases is shown as a browser does", arguments: try WebPushCase.all(messages: true))
    func messageIsShown(_ fixture: WebPushCase) throws {
        let given = try #require(fixture.json["message"])
        let text = given.string ?? given.encodedText
        let message = WebPushMessage(Array(text.utf8), origin: "https://shop.example")
        let shown = message.notification
        for member in fixture.json["shows"]?.object ?? [] {
            let value = member.value
            switch member.name {
            case "declarative": #expect(message.isDeclarative == value.bool)
            case "problem":
                let wanted = value.string ?? ""
                #expect(message.problem?.contains(wanted) ?? (value == .null), "\(message.problem ?? "no problem")")
            case "title": #expect(shown.title == value.string)
            case "body": #expect(shown.body == value.string)
            case "badge": #expect(shown.badge == value.integer)
            case "silent": #expect(shown.isSilent == value.bool)
            case "navigate": #expect(shown.navigate == value.string)
            case "warnings": expect(shown.warnings, contain: value, "warning")
            default: Issue.record("unknown member \(member.name)")
            }
        }
    }

    private func expect(_ texts: [String], contain parts: JSONValue?, _ what: String) {
        let parts = (parts?.array ?? []).compactMap(\.string)
        #expect(texts.count == parts.count, "\(what)s: \(texts)")
        for (text, part) in zip(texts, parts) { #expect(text.contains(part), "\(what): expected \(part)") }
    }
}
