import APNsRules
import ArgumentParser
import MynahComparison
import Testing

@testable import MynahCLI

@Suite("mynah compare")
struct CompareCommandTests {
    @Test(
        "reads the other service's address",
        arguments: [
            ("api.push.apple.com", "api.push.apple.com:443", false), ("localhost:2197", "localhost:2197", true),
            ("127.0.0.1:1", "127.0.0.1:1", true), ("[::1]:2197", "[::1]:2197", true), ("::1", "[::1]:443", true),
            ("[fe80::1]", "[fe80::1]:443", false), ("LOCALHOST", "LOCALHOST:443", true),
        ])
    func address(_ text: String, _ expected: String, _ isLocal: Bool) throws {
        let address = try ServiceAddress.read(text)
        #expect((address.description, address.isLocal) == (expected, isLocal))
    }

    @Test(
        "refuses an address that is none",
        arguments: [
            "", ":443", "localhost:", "localhost:+1", "localhost:65536", "[::1]443", "[]:1", "https://x", "a b",
        ])
    func badAddress(_ text: String) { #expect(throws: ValidationError.self) { try ServiceAddress.read(text) } }

    @Test("lets a service have its requests one by one, and none earlier because others were late")
    func pace() {
        var pace = Pace()
        let start = ContinuousClock.now
        let interval: Duration = .milliseconds(250)
        #expect(pace.wait(at: start) == .zero)
        #expect(pace.wait(at: start) == interval)
        #expect(pace.wait(at: start + interval) == interval)
        #expect(pace.wait(at: start + .seconds(9)) == .zero)
        #expect(pace.wait(at: start + .seconds(9)) == interval)
    }

    /// A result with a row of each verdict.
    private static func result() throws -> ComparisonResult {
        let cases = try FixtureCase.all()
        let answers = ["BadTopic", "<&>"].map { reason in
            var observed = ComparedAnswer.Observation()
            observed.fields = [HTTPField(":status", "400")]
            observed.body = Array(#"{"reason":"\#(reason)"}"#.utf8)
            observed.streamID = 1
            return ComparedAnswer(observed, redaction: Redaction([]))
        }
        var result = ComparisonResult()
        result.rows = [
            .init(cases[0], pairs: [.init(mynah: answers[0], other: answers[0])]),
            .init(cases[1], pairs: answers.map { .init(mynah: answers[0], other: $0) }),
            .init(cases[2], notTried: "needs \"time\""), .init(cases[3], notTried: "needs \"time\""),
        ]
        result.stopped = "the other service answered 429"
        return result
    }

    @Test(
        "prints the counts, both answers to what differs, and how many or which cases were not tried",
        arguments: [false, true])
    func text(listsNotTried: Bool) throws {
        var result = try Self.result()
        result.rows.append(.init(try FixtureCase.all()[4], notTried: "needs a key"))
        let names = result.rows.map(\.id)
        let notTried =
            listsNotTried
            ? """
            not tried, 2: needs "time"
              \(names[2]), \(names[3])

            not tried, 1: needs a key
              \(names[4])
            """
            : """
            not tried, by reason; --not-tried lists the cases:
              2  needs "time"
              1  needs a key
            """
        #expect(
            ComparisonReport(other: "localhost:1", result: result, listsNotTried: listsNotTried).text == """
                RESULT     CASES
                same       1
                differs    1
                not tried  3
                1 of the same end at an earlier check: their device token, channel or topic is unknown

                differs: \(names[1]): \(result.rows[1].name)
                  \(result.rows[1].source)
                  request 2, body
                    mynah  {"reason":"BadTopic"}
                    other  {"reason":"<&>"}

                \(notTried)

                stopped: the other service answered 429
                """)
    }

    @Test("an early end counts more than what differs")
    func status() throws {
        var result = try Self.result()
        #expect(CompareCommand.status(of: result) == .unavailable)
        result.stopped = nil
        #expect(CompareCommand.status(of: result) == .unmet)
        let differing = result.differing.map(\.id)
        result.rows.removeAll { differing.contains($0.id) }
        #expect(CompareCommand.status(of: result) == .success)
    }

    @Test("writes JUnit XML with a failure for what differs")
    func junit() throws {
        let result = try Self.result()
        let xml = ComparisonReport(other: "localhost:1", result: result)
            .junit(startedAt: Instant(milliseconds: 1_767_225_600_000), duration: .milliseconds(1234))
        #expect(
            xml.contains(
                #"<testsuite name="localhost:1" tests="4" failures="1" errors="0" skipped="2" time="1.234" "#
                    + #"timestamp="2026-01-01T00:00:00">"#))
        #expect(xml.contains(#"<failure message="differs: body" type="differs">"#))
        #expect(xml.contains(#"other  {"reason":"&lt;&amp;&gt;"}</failure>"#))
        #expect(xml.contains(#"<skipped message="needs &quot;time&quot;"/>"#))
    }
}
