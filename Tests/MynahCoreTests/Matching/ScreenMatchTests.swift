import APNsRules
import Testing

@testable import MynahCore

/// What the user saw, as a filter sees it (`ControlAPI#Filters`; `Documents`, `screen`).
@Suite("Filters on the screen")
struct ScreenMatchTests {
    private func push(
        _ payload: String, outcome: Outcome = .delivered, collapse: String? = nil, type: String? = "alert",
        shown: ShownOutcome? = nil
    ) -> PushView {
        var headers = [("apns-topic", "com.example.app")]
        if let type { headers.append(("apns-push-type", type)) }
        if let collapse { headers.append(("apns-collapse-id", collapse)) }
        var entry = Entry.made(7, headers: headers, body: payload, outcome: outcome)
        if let shown { entry.recordShown(shown, at: entry.receivedAt) }
        return PushView(entry)
    }

    private let full = #"""
        {"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"sound":"ping.caf","badge":3,"thread-id":"th",
        "category":"NEWS","interruption-level":"time-sensitive","relevance-score":0.5}}
        """#

    @Test(
        "each part of a notification can be matched",
        arguments: [
            (#"{"/title":"T","/subtitle":"S","/body":"B"}"#, true),
            (#"{"/badge":3,"/threadId":"th","/category":"NEWS"}"#, true),
            (#"{"/interruptionLevel":"time-sensitive","/relevanceScore":{"gte":0.5},"/collapseId":"c"}"#, true),
            (#"{"/sound/name":"default","/sound/critical":false}"#, true), (#"{"/title":"T"}"#, true),
            (#"{"/mutableContent":"none","/group":"th","/topic":"com.example.app","/sequence":7}"#, true),
            (#"{"/title":{"prefix":"X"}}"#, false), (#"{"/badge":[1,2]}"#, false), (#"{"/badge":{"not":4}}"#, true),
            (#"{"/banner":{"exists":true}}"#, true), (#"{"":{"exists":true}}"#, true),
        ])
    func parts(screen: String, expected: Bool) throws {
        let filter = try Filter(json: .object([JSONMember("screen", try JSONValue(parsing: screen))]))
        #expect(filter.matches(push(full, collapse: "c")) == expected)
    }

    @Test("every member of a screen can be matched, and no other name")
    func names() throws {
        let screen = try #require(push(full).screen(payload: try JSONValue(parsing: full)))
        let printed = Set(screen.object?.map(\.name) ?? [])
        // Only pushes to Live Activities have activities.
        #expect(printed.union(["activities"]) == Set(FilterDocument.screen.schema?.names ?? []))
        #expect(!printed.contains("activities"))
        #expect(printed.isSuperset(of: ["title", "subtitle", "body", "sound", "badge", "threadId", "category"]))
        let error = #expect(throws: InputError.self) { try Filter(json: ["screen": ["/tittle": "x"]]) }
        #expect(error?.field == "/match/screen/~1tittle")
        #expect(error?.problem.contains("did you mean \"/title\"?") == true)
        #expect(error?.allowed.contains("/title") == true)
    }

    @Test("in a URL and in a line it is screen with a pointer")
    func otherForms() throws {
        let view = push(full)
        #expect(try Filter(parameters: [("screen./badge", "3"), ("screen./title", "T")]).matches(view))
        #expect(try !Filter(parameters: [("!screen./title", "T")]).matches(view))
        #expect(try Filter(line: "screen:/title:T -screen:/body:X").matches(view))
        #expect(throws: InputError.self) { try Filter(parameters: [("screen./tilte", "x")]) }
        #expect(throws: InputError.self) { try Filter(line: "screen:/title") }
    }

    @Test("a badge without an alert is matched but not shown; 0 removes it, null leaves it")
    func badges() throws {
        func badge(_ payload: String) throws -> JSONValue? {
            push(payload).screen(payload: try JSONValue(parsing: payload))?["badge"]
        }
        #expect(try badge(#"{"aps":{"badge":5}}"#) == 5)
        #expect(try badge(#"{"aps":{"badge":0}}"#) == 0)
        #expect(try badge(#"{"aps":{"alert":"x"}}"#) == .null)
        let hidden = #"{"aps":{"badge":5}}"#
        #expect(push(hidden).screen(payload: try JSONValue(parsing: hidden))?["title"] == nil)
    }

    @Test(
        "a push that has not arrived, or is for the app, has no screen",
        arguments: [Outcome.stored, .pending, .refused])
    func elsewhere(outcome: Outcome) throws {
        let payload = try JSONValue(parsing: full)
        #expect(push(full, outcome: outcome).screen(payload: payload) == nil)
        #expect(push(full, type: "background").screen(payload: payload) == nil)
        #expect(try !Filter(json: ["screen": ["/title": "T"]]).matches(push(full, outcome: outcome)))
    }

    @Test("what a device showed is remembered with the push, and counts as its bytes")
    func remembered() throws {
        var presentation = Presentation(shownAt: Instant(milliseconds: 0))
        presentation.place = .banner
        presentation.content.title = "Hallo"
        presentation.content.badge = 9
        let outcome = ShownOutcome(
            isShown: true, at: presentation.shownAt, reason: "as a banner", presentation: Boxed(presentation))
        let view = push(full, shown: outcome)
        #expect(view.screen(payload: nil)?["title"] == "Hallo")
        #expect(view.screen(payload: nil)?["badge"] == 9)
        #expect(view.entry.cost - Entry.presentationBytes > push(full).entry.cost)
    }

    @Test("while a service extension runs nothing is shown")
    func awaited() throws {
        let running = ShownOutcome(
            isShown: false, isAwaited: true, at: Instant(milliseconds: 0), reason: "a service extension runs")
        #expect(push(full, shown: running).screen(payload: try JSONValue(parsing: full)) == nil)
    }

    @Test("a near miss names the place on the screen, and a hint why nothing is there")
    func nearMiss() async throws {
        let filter = try Filter(json: ["screen": ["/title": "Hello", "/badge": 3]])
        let difference = try #require(try await NearMiss.nearest(to: filter, among: [push(full)]).first).differences
        #expect(difference == [.init(field: "/screen/title", expected: "Hello", actual: "T")])
        let hidden = ShownOutcome(
            isShown: false, at: Instant(milliseconds: 0), reason: "not shown: alerts are off",
            presentation: Boxed(Presentation(shownAt: Instant(milliseconds: 0))))
        let run = ExpectationRun(.init(.matching(filter, .init())))
        let answer = try await Finding(run.expectation, [push(full, shown: hidden)]).answer(
            .unmet(failedAt: nil), evictedThrough: 0)
        #expect(answer["hints"] == ["7 was delivered, and not shown: alerts are off"])
    }
}
