import APNsRules
import MynahCore
import Testing

private func push(
    _ sequence: UInt64, topic: String = "com.example.app", category: String = "NEWS", scope: String? = nil,
    refusal: Refusal? = nil, outcome: Outcome = .delivered, detail: String? = nil
) -> PushView {
    var entry = Entry.made(
        sequence, headers: [("apns-topic", topic)],
        body: "{\"aps\":{\"category\":\"\(category)\",\"badge\":\(sequence)}}", refusal: refusal, outcome: outcome)
    if let detail { entry.detail = detail }
    entry.label = scope.map { DeviceLabel(device: "phone-\($0)", scope: $0) }
    return PushView(entry)
}

private func expectation(_ text: String) throws -> MynahCore.Expectation {
    try MynahCore.Expectation(json: try JSONValue(parsing: text))
}

@Suite("Near misses")
struct NearMissTests {
    @Test("the pushes with the fewest differences come first, of equals the newest, and three at most")
    func ranking() async throws {
        let filter = try Filter(json: ["topic": "com.example.app", "payload": ["/aps/category": "NEWS"], "status": 200])
        let views = [
            push(1, topic: "a", category: "b"), push(2, category: "SPORT"), push(3, topic: "a"), push(4, topic: "b"),
            push(5, topic: "c", category: "d"),
        ]
        let nearest = try await NearMiss.nearest(to: filter, among: views)
        #expect(nearest.map(\.sequence) == [4, 3, 2])
        #expect(
            nearest.last?.json["differences"]?.encodedText
                == #"[{"field":"/payload/aps/category","expected":"NEWS","actual":"SPORT"}]"#
        )
    }

    @Test("every differing field is named, and the whole push is included")
    func everyField() async throws {
        let places = (0..<50).map { JSONMember("/p\($0)", 1) }
        let filter = try Filter(json: ["payload": .object(places)])
        let miss = try #require(try await NearMiss.nearest(to: filter, among: [push(1)]).first)
        #expect(miss.json["differences"]?.array?.count == 50)
        #expect(miss.json["push"] == push(1).json)
    }

    @Test("a text search shows the payload, a repeated header all its values")
    func searched() async throws {
        let view = PushView(.made(1, headers: [("x-a", "1"), ("x-a", "2")], body: #"{"a":"B"}"#))
        let filter = try Filter(json: ["text": "zzz", "headers": ["x-a": "3"]])
        let differences = try #require(try await NearMiss.nearest(to: filter, among: [view]).first).differences
        #expect(Set(differences.map(\.actual)) == [["a": "B"], ["1", "2"]])
    }

    @Test("pushes of another scope are never near misses; those without a scope differ in it")
    func scopes() async throws {
        let run = ExpectationRun(try expectation(#"{"match":{"topic":"b"},"scope":"t42"}"#))
        let views = [push(1, scope: "t42"), push(2, topic: "b", scope: "t43"), push(3)]
        let answer = try await Finding(run.expectation, views).answer(.unmet(failedAt: nil), evictedThrough: 0)
        #expect(answer["nearest"]?.array?.compactMap { $0["sequence"]?.integer } == [1, 3])
        #expect(answer["hints"] == ["2 matches, but its token is of scope t43, not t42"])
    }

    @Test("a push that matches is no near miss")
    func matching() async throws {
        #expect(try await NearMiss.nearest(to: Filter(), among: [push(1)]).isEmpty)
    }

    @Test("each missing place of a payload's subset is named")
    func subset() async throws {
        let filter = try Filter(json: ["payloadIncludes": ["aps": ["category": "SPORT", "sound": "a", "badge": 1]]])
        let differences = try #require(try await NearMiss.nearest(to: filter, among: [push(1)]).first).differences
        #expect(differences.map(\.field) == ["/payload/aps/category", "/payload/aps/sound"])
        #expect(differences.map(\.actual) == ["NEWS", .null])
    }

    @Test("times, headers and missing values are shown as people write them")
    func shapes() async throws {
        let filter = try Filter(json: [
            "since": "2030-01-01T00:00:00Z", "headers": ["x-a": ["prefix": "b"]], "reason": "BadTopic",
        ])
        let differences = try #require(try await NearMiss.nearest(to: filter, among: [push(1)]).first).differences
        #expect(
            differences.contains(
                where: {
                    $0.json.encodedText
                        == #"{"field":"/receivedAt","expected":{"gte":"2030-01-01T00:00:00.000Z"},"actual":"2026-11-21T09:30:00.123Z"}"#
                }))
        #expect(
            differences.contains { $0.field == "/headers/x-a" && $0.expected == ["prefix": "b"] && $0.actual == .null })
        #expect(differences.contains { $0.field == "/reason" && $0.actual == .null })
    }
}

@Suite("Reading expectations")
struct ExpectationReadingTests {
    @Test("absent members have their defaults")
    func defaults() throws {
        let read = try expectation("{}")
        #expect(read == MynahCore.Expectation(.matching(Filter(), .init(least: 1, most: nil)), within: .seconds(5)))
    }

    @Test("everything is read")
    func everything() throws {
        let read = try expectation(
            #"{"match":{"topic":"a"},"count":{"exactly":3},"within":"1m","settle":"250ms","after":4711,"scope":"t42"}"#)
        let filter = try Filter(json: ["topic": "a"])
        #expect(
            read
                == MynahCore.Expectation(
                    .matching(filter, .init(least: 3, most: 3)), within: .seconds(60), settle: .milliseconds(250),
                    after: 4711, scope: "t42"))
    }

    @Test("a match can have a line of the query language beside its fields")
    func line() throws {
        let read = try expectation(#"{"match":{"topic":"a","q":"-reason:BadTopic \"hi there\" scope:t1"}}"#)
        let filter = try Filter(json: ["topic": "a"]).and(Filter(line: "-reason:BadTopic \"hi there\" scope:t1"))
        #expect(read.subject == .matching(filter, .init()))
        #expect(read.onlyScope == "t1")
    }

    @Test("with max alone, min is 0")
    func maxOnly() throws {
        #expect(try expectation(#"{"count":{"max":0}}"#).subject == .matching(Filter(), .init(least: 0, most: 0)))
        #expect(try expectation(#"{"count":{"min":2,"max":null}}"#).subject == .matching(Filter(), .init(least: 2)))
    }

    @Test(
        "an error names the place",
        arguments: [
            ("[]", ""), (#"{"macth":{}}"#, "/macth"), (#"{"match":{"tpoic":1}}"#, "/match/tpoic"),
            (#"{"within":5}"#, "/within"),
            (#"{"within":"5"}"#, "/within"), (#"{"within":"2h"}"#, "/within"), (#"{"settle":"x"}"#, "/settle"),
            (#"{"after":-1}"#, "/after"),
            (#"{"after":"1"}"#, "/after"), (#"{"scope":1}"#, "/scope"), (#"{"scope":"a b"}"#, "/scope"),
            (#"{"scope":""}"#, "/scope"), (#"{"match":{"scope":"a/b"}}"#, "/match/scope"),
            (#"{"match":{"topic":{"not":"a"},"q":"topic:a"}}"#, "/match/q"),
            (#"{"match":{"topic":"a","q":"-topic:a"}}"#, "/match/q"),
            (#"{"match":{"since":"2026-11-21T10:00:00Z","q":"until:2026-11-21T09:00:00Z"}}"#, "/match/q"),
            (#"{"match":{"q":"tpoic:x"}}"#, "/match/q"), (#"{"match":{"q":7}}"#, "/match/q"),
            (#"{"inOrder":[{"q":":\""}]}"#, "/inOrder/0/q"),
            (#"{"match":{"screen":{"/tite":1}}}"#, "/match/screen/~1tite"),
            (#"{"count":3}"#, "/count"),
            (#"{"count":{"exact":3}}"#, "/count/exact"),
            (#"{"count":{"min":-1}}"#, "/count/min"), (#"{"count":{"min":3,"max":2}}"#, "/count/max"),
            (#"{"count":{"exactly":3,"max":3}}"#, "/count"), (#"{"inOrder":[]}"#, "/inOrder"),
            (#"{"inOrder":{}}"#, "/inOrder"),
            (#"{"inOrder":[{},{"nope":1}]}"#, "/inOrder/1/nope"), (#"{"inOrder":[{}],"match":{}}"#, "/inOrder"),
            (#"{"inOrder":[{}],"count":{"min":1}}"#, "/count"),
        ])
    func errors(json: String, field: String) throws {
        let error = #expect(throws: InputError.self) { try expectation(json) }
        #expect(error?.field == field)
    }
}

@Suite("Checking expectations")
struct ExpectationRunTests {
    @Test("without settle it is met as soon as min pushes match")
    func minimum() async throws {
        var run = ExpectationRun(try expectation(#"{"match":{"topic":"com.example.app"},"count":{"min":2}}"#))
        #expect(try await run.evaluate([], elapsed: .zero) == .undecided(until: .seconds(5)))
        #expect(
            try await run.evaluate([push(1), push(2, topic: "a")], elapsed: .seconds(1))
                == .undecided(until: .seconds(5)))
        #expect(try await run.evaluate([push(1), push(2, topic: "a"), push(3)], elapsed: .seconds(2)) == .met)
    }

    @Test("it is unmet when within is over")
    func timeOver() async throws {
        var run = ExpectationRun(try expectation(#"{"within":"1s"}"#))
        #expect(try await run.evaluate([], elapsed: .milliseconds(999)) == .undecided(until: .seconds(1)))
        #expect(try await run.evaluate([], elapsed: .seconds(1)) == .unmet(failedAt: nil))
    }

    @Test("exceeding max makes it unmet at once, also during settle")
    func maximum() async throws {
        var run = ExpectationRun(try expectation(#"{"count":{"exactly":1},"settle":"2s"}"#))
        #expect(try await run.evaluate([push(1)], elapsed: .seconds(1)) == .undecided(until: .seconds(3)))
        #expect(try await run.evaluate([push(1), push(2)], elapsed: .seconds(2)) == .unmet(failedAt: nil))
    }

    @Test("settle may end after within")
    func settling() async throws {
        var run = ExpectationRun(try expectation(#"{"count":{"exactly":1},"within":"1s","settle":"2s"}"#))
        #expect(
            try await run.evaluate([push(1)], elapsed: .milliseconds(900)) == .undecided(until: .milliseconds(2900)))
        #expect(try await run.evaluate([push(1)], elapsed: .milliseconds(2900)) == .met)
    }

    @Test("a max of 0 is met after settle, and unmet with the first push")
    func nothingComes() async throws {
        let nothing = try expectation(#"{"count":{"max":0},"settle":"1s"}"#)
        var run = ExpectationRun(nothing)
        #expect(try await run.evaluate([], elapsed: .zero) == .undecided(until: .seconds(1)))
        #expect(try await run.evaluate([], elapsed: .seconds(1)) == .met)
        run = ExpectationRun(nothing)
        #expect(try await run.evaluate([push(1)], elapsed: .zero) == .unmet(failedAt: nil))
    }

    @Test("a changed outcome can undo a reached count")
    func takenBack() async throws {
        var run = ExpectationRun(try expectation(#"{"match":{"outcome":"stored"},"settle":"2s"}"#))
        #expect(
            try await run.evaluate([push(1, outcome: .stored)], elapsed: .seconds(1)) == .undecided(until: .seconds(3)))
        #expect(try await run.evaluate([push(1)], elapsed: .seconds(2)) == .undecided(until: .seconds(5)))
        #expect(
            try await run.evaluate([push(1, outcome: .stored)], elapsed: .seconds(4)) == .undecided(until: .seconds(6)))
        #expect(try await run.evaluate([push(1, outcome: .stored)], elapsed: .seconds(6)) == .met)
    }

    @Test("only pushes after `after` and of the scope count")
    func counted() async throws {
        let views = [push(1, scope: "t42"), push(2, scope: "t43"), push(3), push(4, scope: "t42")]
        let run = ExpectationRun(try expectation(#"{"after":1,"scope":"t42"}"#))
        let answer = try await Finding(run.expectation, views).answer(.met, evictedThrough: 0)
        #expect(answer["matched"] == 1)
        #expect(answer["items"]?.array?.first?["sequence"] == 4)
    }

    @Test("in order: others may come between, and the first filter without a push is named")
    func inOrder() async throws {
        let text = #"{"inOrder":[{"topic":"a"},{"topic":"b"},{"topic":"c"}],"within":"1s"}"#
        var run = ExpectationRun(try expectation(text))
        let views = [push(1, topic: "b"), push(2, topic: "a"), push(3, topic: "x"), push(4, topic: "b")]
        #expect(try await run.evaluate(views, elapsed: .zero) == .undecided(until: .seconds(1)))
        #expect(try await run.evaluate(views, elapsed: .seconds(1)) == .unmet(failedAt: 2))
        #expect(try await run.evaluate(views + [push(5, topic: "c")], elapsed: .milliseconds(500)) == .met)
        let answer = try await Finding(run.expectation, views).answer(.unmet(failedAt: 2), evictedThrough: 0)
        #expect(answer["failedAt"] == 2)
        #expect(answer["matched"] == 2)
        #expect(answer["nearest"]?.array?.count == 0)
    }

    @Test("in order: a hint names the step that arrived too early")
    func tooEarly() async throws {
        let run = ExpectationRun(try expectation(#"{"inOrder":[{"topic":"a"},{"topic":"b"}]}"#))
        let answer = try await Finding(run.expectation, [push(1, topic: "b"), push(2, topic: "a")]).answer(
            .unmet(failedAt: 1), evictedThrough: 0)
        #expect(answer["hints"] == ["1 matches step 1 but came before 2, step 0"])
    }

    @Test("an answer has the keys of the contract, in their order")
    func keys() async throws {
        let run = ExpectationRun(try expectation(#"{"match":{"topic":"b"}}"#))
        let answer = try await Finding(run.expectation, [push(1)]).answer(.unmet(failedAt: nil), evictedThrough: 0)
        #expect(
            answer.object?.map(\.name) == [
                "met", "matched", "items", "failedAt", "nearest", "hints", "evicted", "lastSequence",
            ])
        #expect(answer["met"] == false)
        #expect(answer["nearest"]?.array?.first?["differences"]?.array?.first?["field"] == "/topic")
    }

    @Test(
        "hints name the usual causes",
        arguments: [
            (
                #"{"match":{"topic":"com.example.app"},"after":1}"#, [push(1)], 0,
                "1 matched before after=1, the last of them 1"
            ),
            (#"{"match":{"topic":"b"}}"#, [], 9, "pushes up to 9 were evicted; a larger --retain keeps more"),
            (
                #"{"match":{"outcome":"delivered"}}"#, [push(3, refusal: Refusal(.badTopic, "no such topic"))], 0,
                "3 was refused with BadTopic: no such topic"
            ),
            (#"{"match":{"status":200}}"#, [push(3, outcome: .pending)], 0, nil),
            (#"{"match":{"outcome":"delivered"}}"#, [push(3, outcome: .pending)], 0, "3 is still pending"),
            (
                #"{"match":{"shown":true}}"#, [push(3, outcome: .stored, detail: "device offline")], 0,
                "3 is stored: device offline"
            ),
            (
                #"{"match":{"outcome":"delivered"}}"#, [push(3, outcome: .deferred, detail: "low power")], 0,
                "3 is deferred: low power"
            ),
            (#"{"match":{"outcome":"delivered"}}"#, [push(3, outcome: .coalesced)], 0, "3 was coalesced"),
            (#"{"match":{"topic":"b"}}"#, [push(3, outcome: .stored, detail: "device offline")], 0, nil),
            (#"{"match":{"topic":"b"},"after":3}"#, [push(3)], 0, "no push has arrived after 3"),
            (#"{"match":{"topic":"b"},"scope":"t1"}"#, [push(3, scope: "t2")], 0, "no push of scope t1 has arrived"),
            (
                #"{"count":{"max":1}}"#, [push(3), push(4), push(5)], 0,
                "3 pushes match, more than the 1 expected; 4 is the first excess one"
            ),
            (#"{"match":{"scope":"t42"}}"#, [push(3)], 0, "3 matches, but its token is of no scope, not t42"),
            (#"{"scope":"t42"}"#, [push(3, scope: "t43")], 0, "3 matches, but its token is of scope t43, not t42"),
            (#"{"scope":"t42"}"#, [push(3)], 0, "3 matches, but its token is of no scope, not t42"),
        ] as [(String, [PushView], UInt64, String?)])
    func hints(json: String, views: [PushView], evictedThrough: UInt64, expected: String?) async throws {
        let run = ExpectationRun(try expectation(json))
        let answer = try await Finding(run.expectation, views).answer(
            .unmet(failedAt: nil), evictedThrough: evictedThrough)
        #expect(answer["hints"] == .array(expected.map { [.string($0)] } ?? []))
    }

    @Test("a hint warns that evicted pushes may have matched")
    func evictedWhileQuiet() async throws {
        let run = ExpectationRun(try expectation(#"{"count":{"max":0},"after":4}"#))
        #expect(try await Finding(run.expectation, []).answer(.met, evictedThrough: 4)["hints"] == [])
        #expect(try await Finding(run.expectation, []).answer(.met, evictedThrough: 5)["hints"]?.array?.count == 1)
    }

    @Test("a met expectation has no hints")
    func met() async throws {
        let run = ExpectationRun(try expectation("{}"))
        let answer = try await Finding(run.expectation, [push(1), push(2, outcome: .pending)]).answer(
            .met, evictedThrough: 9)
        #expect(answer["hints"] == [])
        #expect(answer["nearest"] == [])
        #expect(answer["matched"] == 2)
    }
}

@Suite("What an expectation costs")
struct ExpectationCostTests {
    @Test("pushes that stay the same are judged once, however often the time is looked at")
    func judgedOnce() async throws {
        var run = ExpectationRun(try expectation(#"{"match":{"topic":"b"},"within":"2s"}"#))
        var askedCount = 0
        func views() -> [PushView] {
            askedCount += 1
            return [push(1)]
        }
        #expect(try await run.evaluate(views(), elapsed: .zero) == .undecided(until: .seconds(2)))
        for second in 1...3 {
            let verdict = try await run.evaluate(views(), isChanged: false, elapsed: .seconds(second))
            #expect(verdict == (second == 1 ? .undecided(until: .seconds(2)) : .unmet(failedAt: nil)))
        }
        #expect(askedCount == 1)
        #expect(try await run.evaluate(views(), isChanged: true, elapsed: .seconds(4)) == .unmet(failedAt: nil))
        #expect(askedCount == 2)
    }

    @Test(
        "reasons are looked for among fewer pushes where it takes long to know what users saw",
        arguments: [
            (#"{"topic":"b"}"#, NearMiss.searchedMax), (#"{"text":"b"}"#, NearMiss.searchedMax),
            (#"{"screen":{"/title":"b"}}"#, NearMiss.screensSearchedMax),
            (#"{"topic":"b","shown":false}"#, NearMiss.screensSearchedMax),
            (#"{"sounded":true,"topic":"b"}"#, NearMiss.screensSearchedMax),
        ])
    func searched(match: String, count: Int) async throws {
        let run = ExpectationRun(try expectation(#"{"match":\#(match),"after":5,"scope":"t"}"#))
        #expect(try await Finding(run.expectation, [push(1)]).searches.map(\.count) == [count, count, count])
    }
}

@Suite("Cancelled expectations")
struct CancelledExpectationTests {
    private static let wanted = MynahCore.Expectation(
        .matching(Filter([Filter.Condition(.key(.topic), .equal("other"))]), .init()))

    @Test("an expectation whose task is cancelled judges no further")
    func cancelled() async throws {
        let views = (1...100).map { PushView(.made($0)) }
        let check = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) {
                var run = ExpectationRun(Self.wanted)
                _ = try await run.evaluate(views, elapsed: .zero)
            }
            let run = ExpectationRun(Self.wanted)
            await #expect(throws: CancellationError.self) {
                _ = try await Finding(run.expectation, views).answer(.unmet(failedAt: nil), evictedThrough: 0)
            }
            await #expect(throws: CancellationError.self) { _ = try await Finding(run.expectation, views).matching }
            await #expect(throws: CancellationError.self) { _ = try await NearMiss.nearest(to: Filter(), among: views) }
        }
        await check.value
    }
}
