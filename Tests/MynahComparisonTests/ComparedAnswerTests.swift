import APNsRules
import Testing

@testable import MynahComparison

@Suite("What a comparison sees of an answer")
struct ComparedAnswerTests {
    private static let fields = [
        HTTPField(":status", "400"), HTTPField("apns-id", "27CFDC15-E305-27E0-E290-8FC98E115899"),
        HTTPField("content-type", "application/json"),
    ]

    private func answer(
        _ fields: [HTTPField]? = fields, _ body: String = #"{"reason":"BadTopic"}"#, sentID: String? = nil,
        redaction: Redaction = Redaction([]), change: (inout ComparedAnswer.Observation) -> Void = { _ in }
    ) -> ComparedAnswer {
        var observed = ComparedAnswer.Observation()
        observed.fields = fields
        observed.body = Array(body.utf8)
        observed.streamID = 5
        change(&observed)
        return ComparedAnswer(observed, sentID: sentID, redaction: redaction)
    }

    private func fields(_ name: String, _ value: String) -> [HTTPField] {
        Self.fields.filter { $0.name != name } + [HTTPField(name, value)]
    }

    /// The names of what differs from the usual answer.
    private func differing(_ other: ComparedAnswer) -> [String] { answer().differences(from: other).map(\.name) }

    @Test("status, reason, headers, SETTINGS, GOAWAY and the connection's end are seen")
    func seesDifferences() {
        #expect(differing(answer()).isEmpty)
        #expect(differing(answer(fields(":status", "403"))) == ["status"])
        #expect(differing(answer(Self.fields, #"{"reason":"BadPath"}"#)) == ["body"])
        #expect(differing(answer(Self.fields, "")) == ["body"])
        #expect(differing(answer(Self.fields + [HTTPField("server", "x")])) == ["server"])
        #expect(differing(answer(fields("content-type", "text/plain"))) == ["content-type"])
        #expect(differing(answer { $0.settings = [[(3, 1000)]] }) == ["SETTINGS"])
        #expect(differing(answer { $0.isOpen = false }) == ["connection"])
        let reason = Array(#"{"reason":"Shutdown"}"#.utf8)
        #expect(differing(answer { $0.goAway = .init("NO_ERROR", lastStreamID: 5, debugData: reason) }) == ["GOAWAY"])
        let unanswered = differing(answer(nil, "") { $0.failure = "reset" })
        #expect(unanswered == ["status", "body", "apns-id", "content-type", "answer"])
    }

    @Test("an unknown header, an id and a time are no difference")
    func ignoresTimesAndIDs() {
        #expect(differing(answer(Self.fields + [HTTPField("x-trace", "7")])).isEmpty)
        #expect(differing(answer(fields("apns-id", "37CFDC15-E305-27E0-E290-8FC98E115890"))).isEmpty)
        let times = [1, 2].map { answer(Self.fields, #"{"reason":"Unregistered","timestamp":\#($0)}"#) }
        #expect(times[0] == times[1])
        let dates = ["Mon, 01 Jan", "Tue, 02 Jan"].map { answer(Self.fields + [HTTPField("date", $0)]) }
        #expect(dates[0] == dates[1])
        #expect(differing(dates[0]) == ["date"])
    }

    @Test("the form of an id is seen, and whether it is the one that was sent")
    func seesFormOfID() {
        let lower = fields("apns-id", "27cfdc15-e305-27e0-e290-8fc98e115899")
        #expect(differing(answer(lower)) == ["apns-id"])
        #expect(differing(answer(lower, sentID: "27cfdc15-e305-27e0-e290-8fc98e115899")) == ["apns-id"])
        let echoed = answer(lower, sentID: "27cfdc15-e305-27e0-e290-8fc98e115899")
        #expect(echoed.facts.contains(.init("apns-id", "as sent")))
    }

    @Test("settings are named, in the order in which they came")
    func namesSettings() {
        let facts = answer { $0.settings = [[(1, 4096), (3, 1), (99, 7)], [(3, 1000)]] }.facts
        let expected = ["HEADER_TABLE_SIZE 4096, MAX_CONCURRENT_STREAMS 1, 99 7", "MAX_CONCURRENT_STREAMS 1000"]
        #expect(facts.filter { $0.name == "SETTINGS" }.map(\.value) == expected)
    }

    @Test(
        "GOAWAY says which streams were processed", arguments: [(0, "no stream"), (3, "earlier streams"), (5, "all")])
    func namesProcessedStreams(_ last: Int32, _ expected: String) {
        let facts = answer { $0.goAway = .init("NO_ERROR", lastStreamID: last, debugData: []) }.facts
        #expect(facts.contains(.init("GOAWAY", "NO_ERROR, processed: \(expected)")))
    }

    @Test("what is the user's own is taken out, longer texts first")
    func redacts() {
        let redaction = Redaction([("org.example", "A"), ("org.example.news", "com.example.app"), ("", "never")])
        let redacted = answer(Self.fields, "no org.example.news here", redaction: redaction)
        #expect(redacted.facts.contains(.init("body", "no com.example.app here")))
    }

    @Test("a provider token that comes back is taken out, whole or in parts, and before a text is cut")
    func redactsProviderTokens() throws {
        let parts = ["eyJhbGciOiJFUzI1NiJ9", "eyJpc3MiOiJURUFNIn0xyz", String(repeating: "s", count: 86)]
        let token = parts.joined(separator: ".")
        let redaction = Redaction([]).adding(authorization: "bearer \(token)")
        let body = String(repeating: "x", count: 1010) + token
        for text in [token, body, parts[0], "…\(parts[1])…"] {
            let redacted = answer(Self.fields + [HTTPField("server", text)], text, redaction: redaction)
            for part in parts { #expect(!redacted.facts.contains { $0.value.contains(part.prefix(12)) }, "\(text)") }
        }
        let short = Redaction([]).adding(authorization: "bearer a.bb.ccc")
        #expect(answer(Self.fields, "a cab", redaction: short)["body"] == "a cab")
        #expect(Redaction([]).adding(authorization: "").applied(to: "x") == "x")
    }

    @Test("a good case that ends at its device token says so")
    func namesWhereItEnds() throws {
        func row(_ file: String, _ status: String, _ reason: String) throws -> ComparisonResult.Row {
            let fixture = try #require(try FixtureCase.all().first { $0.file == file })
            let one = answer(fields(":status", status), reason.isEmpty ? "" : #"{"reason":"\#(reason)"}"#)
            return ComparisonResult.Row(fixture, pairs: [.init(mynah: one, other: one)])
        }
        var result = ComparisonResult()
        result.rows = [
            try row("accepted", "400", "BadDeviceToken"), try row("accepted", "200", ""),
            try row("priority-11", "400", "BadPriority"),
        ]
        #expect(result.rows.map(\.upTo) == ["BadDeviceToken", nil, nil])
        #expect((result.same, result.samePartly) == (3, 1))
        let json = result.json([])
        #expect(json["samePartly"]?.integer == 1)
        #expect(json["cases"]?.array?.map { $0["upTo"]?.string } == ["BadDeviceToken", nil, nil])
    }

    @Test("a case differs if one of its answers does, and the JSON has both")
    func rows() throws {
        let same = answer()
        let other = answer(Self.fields, "")
        let pairs = [(same, same), (same, other)].map { ComparisonResult.Pair(mynah: $0, other: $1) }
        let row = ComparisonResult.Row(id: "i", name: "n", source: "s", pairs: pairs)
        var result = ComparisonResult()
        result.rows = [row, .init(id: "j", name: "n", source: "s", pairs: [pairs[0]])]
        #expect((result.same, result.differing.map(\.id)) == (1, ["i"]))
        let json = result.json([])
        let answers = try #require(json["cases"]?.array?.first?["answers"]?.array)
        #expect(answers.last?["mynah"]?["body"]?.string == #"{"reason":"BadTopic"}"#)
        #expect(answers.last?["other"]?["body"]?.string == "none")
        #expect(json["differs"]?.integer == 1)
    }
}
