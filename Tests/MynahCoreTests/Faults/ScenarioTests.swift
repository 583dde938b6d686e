import APNsRules
import MynahCore
import Testing

@Suite("Scenarios")
struct ScenarioTests {
    private static let rule = #"{"id":"a","action":{"type":"stall"}}"#
    private static let steps = """
        [{"add":[\(rule)]},{"after":"30s","remove":["a"],"add":[{"action":{"type":"lose"}}]},\
        {"after":{"pushes":100},"add":[\(rule)]},{"after":"1h","remove":["a"]}]
        """

    private func scenario(_ steps: String) throws -> Scenario {
        try Scenario(json: json("{\"name\":\"s\",\"description\":\"d\",\"seed\":7,\"steps\":\(steps)}"))
    }

    @Test("steps are due in order, each after its time or pushes")
    func due() throws {
        var run = ScenarioRun(try scenario(Self.steps))
        func due(_ seconds: Int64, _ pushes: Int) -> Int { run.due(elapsed: .seconds(seconds), pushes: pushes).count }
        let counts = [due(0, 0), due(0, 0), due(29, 1000), due(30, 99), due(31, 100), due(3599, 100), due(3600, 100)]
        #expect(counts == [1, 0, 0, 1, 1, 0, 1])
        #expect(run.isDone && run.next == nil)
    }

    @Test("overdue steps are all due at once, in order")
    func together() throws {
        var run = ScenarioRun(try scenario(Self.steps))
        #expect(run.next == .time(.zero))
        let first = run.due(elapsed: .seconds(7200), pushes: 0)
        #expect(first.count == 2)
        #expect(run.next == .pushes(100))
        let rest = run.due(elapsed: .seconds(7200), pushes: 100)
        #expect(rest.map(\.remove) == [[], ["a"]])
    }

    @Test("a printed scenario can be read again")
    func roundTrip() throws {
        let read = try scenario(Self.steps)
        #expect(try Scenario(json: read.json) == read)
        #expect(read.seed == 7)
    }

    @Test(
        "a scenario that cannot run is refused",
        arguments: [
            (#"[]"#, "/steps"), (#"[{"after":"1s"}]"#, "/steps/0"),
            (#"[{"after":5,"remove":["a"]}]"#, "/steps/0/after"),
            (#"[{"after":{"push":5},"remove":["a"]}]"#, "/steps/0/after/push"),
            (#"[{"after":{"pushes":0},"remove":["a"]}]"#, "/steps/0/after/pushes"),
            (#"[{"after":{},"remove":["a"]}]"#, "/steps/0/after/pushes"),
            (#"[{"remove":["a"]}]"#, "/steps/0/remove/0"), (#"[{"add":[R],"remove":["a"]}]"#, "/steps/0/remove/0"),
            (#"[{"add":[R]},{"remove":["a","a"]}]"#, "/steps/1/remove/1"), (#"[{"add":[R,R]}]"#, "/steps/0/add/1/id"),
            (#"[{"add":[R]},{"add":[R]}]"#, "/steps/1/add/0/id"), (#"[{"add":[],"remove":[]}]"#, "/steps/0"),
            (#"[{"add":R}]"#, "/steps/0/add"), (#"[{"remove":[1]}]"#, "/steps/0/remove/0"),
            (#"[{"add":[R],"aftr":"1s"}]"#, "/steps/0/aftr"),
            (#"[{"add":[{"action":{"type":"stal"}}]}]"#, "/steps/0/add/0/action/type"),
            (#"[{"after":"2s","add":[R]},{"after":"1s","remove":["a"]}]"#, "/steps/1/after"),
            (#"[{"after":{"pushes":2},"add":[R]},{"after":{"pushes":1},"remove":["a"]}]"#, "/steps/1/after/pushes"),
        ])
    func errors(steps: String, field: String) {
        let error = #expect(throws: InputError.self) { try scenario(steps.replacing("R", with: Self.rule)) }
        #expect(error?.field == field)
    }

    @Test(
        "what no scope has is refused in a scenario of one",
        arguments: [
            (#"[{"after":{"pushes":3},"add":[R]}]"#, "/steps/0/after"),
            (#"[{"add":[R,{"match":{"event":"accept"},"action":{"type":"refuse"}}]}]"#, "/steps/0/add/1/match/event"),
            (#"[{"add":[{"scope":"t2","action":{"type":"lose"}}]}]"#, "/steps/0/add/0/scope"),
        ])
    func scopes(steps: String, field: String) throws {
        let scenario = try? scenario(steps.replacing("R", with: Self.rule))
        let error = #expect(throws: InputError.self) { try scenario?.within("t1") }
        #expect(error?.field == field)
    }

    @Test("a scenario of a scope can be read again")
    func scopedRoundTrip() throws {
        let read = try scenario("[{\"add\":[\(Self.rule)]}]").within("t1")
        #expect(read.steps[0].add[0].rule.scope == "t1")
        #expect(try Scenario(json: read.json) == read)
    }

    @Test(
        "name, seed and unknown members",
        arguments: [
            (#"{"steps":[]}"#, "/name"), (#"{"name":"a b","steps":[]}"#, "/name"), (#"{"name":"a"}"#, "/steps"),
            (#"{"name":"a","seed":-1,"steps":[]}"#, "/seed"), (#"{"name":"a","step":[]}"#, "/step"), ("[]", ""),
        ])
    func head(text: String, field: String) {
        let error = #expect(throws: InputError.self) { try Scenario(json: json(text)) }
        #expect(error?.field == field)
    }
}
