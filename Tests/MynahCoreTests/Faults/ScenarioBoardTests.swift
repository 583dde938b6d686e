import APNsRules
import MynahCore
import Testing

/// Which rules are in force while scenarios run.
@Suite("Running scenarios") struct ScenarioBoardTests {
    private let start = Instant(seconds: 1_000)

    private func scenario(_ steps: String, name: String = "s") throws -> Scenario {
        try Scenario(json: JSONValue(parsing: #"{"name":"\#(name)","seed":7,"steps":[\#(steps)]}"#))
    }

    private static func rule(_ id: String) -> String { #"{"id":"\#(id)","action":{"type":"stall"}}"# }

    @Test("unconditional steps are done at the start, with the scenario's seed") func begins() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        let made = try board.start(
            scenario(#"{"add":[\#(Self.rule("a"))]},{"after":"5s","remove":["a"]}"#), at: start, pushes: 40, in: &set)
        #expect(made == ["a"])
        #expect(set["a"]?.seed == 7)
        #expect(set["a"]?.createdAt == start)
        #expect(board.nextMoments.first?.at == start.advanced(by: .seconds(5)))
        #expect(!board.countsPushes)
        #expect(board.advance(at: { _ in start.advanced(by: .milliseconds(4_999)) }, pushes: 40, in: &set).isEmpty)
        #expect(set["a"] != nil)
        _ = board.advance(at: { _ in start.advanced(by: .seconds(5)) }, pushes: 40, in: &set)
        #expect(set.rules.isEmpty)
        #expect(board.nextMoments.first?.at == nil)
        #expect(board[.init("s", scope: nil)]?.run.isDone == true)
    }

    @Test("pushes count from the start, and the board says for which the present rules hold") func pushes() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        let steps = #"{"after":{"pushes":3},"add":[\#(Self.rule("a"))]},{"after":{"pushes":5},"remove":["a"]}"#
        _ = try board.start(scenario(steps), at: start, pushes: 100, in: &set)
        #expect(board.countsPushes)
        #expect(board.pushesThrough == 103)
        _ = board.advance(at: { _ in start }, pushes: 102, in: &set)
        #expect(set.rules.isEmpty)
        _ = board.advance(at: { _ in start }, pushes: 103, in: &set)
        #expect(set["a"] != nil)
        #expect(board.pushesThrough == 105)
        _ = board.advance(at: { _ in start }, pushes: 105, in: &set)
        #expect(set.rules.isEmpty)
        #expect(!board.countsPushes)
        #expect(board.pushesThrough == Int.max)
    }

    @Test("a step after pushes waits for the one after a time above it") func mixed() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        let steps = #"{"after":"1m","add":[\#(Self.rule("a"))]},{"after":{"pushes":3},"remove":["a"]}"#
        _ = try board.start(scenario(steps), at: start, pushes: 0, in: &set)
        #expect(board.countsPushes)
        #expect(board.pushesThrough == Int.max)
        _ = board.advance(at: { _ in start }, pushes: 10, in: &set)
        #expect(set.rules.isEmpty)
        _ = board.advance(at: { _ in start.advanced(by: .seconds(60)) }, pushes: 10, in: &set)
        #expect(set.rules.isEmpty)
        #expect(board[.init("s", scope: nil)]?.run.isDone == true)
    }

    @Test("each scope has its own scenarios of one name, with rules and a clock of its own") func scopes() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        let script = try scenario(#"{"add":[\#(Self.rule("a"))]},{"after":"5s","remove":["a"]}"#)
        for scope in ["t1", "t2"] {
            let made = try board.start(script.within(scope), at: start, pushes: 0, in: &set)
            #expect(made == ["a@\(scope)"])
            #expect(set["a@\(scope)"]?.scope == scope)
            #expect(set["a@\(scope)"]?.name == "a")
        }
        _ = try board.start(script, at: start, pushes: 0, in: &set)
        #expect(board.nextMoments.map(\.scope) == ["t1", "t2", nil])
        _ = board.advance(at: { start.advanced(by: .seconds($0 == "t2" ? 5 : 0)) }, pushes: 0, in: &set)
        #expect(set.rules.map(\.id) == ["a", "a@t1"])
        board.move { $0 == "t1" ? .seconds(9) : .zero }
        #expect(board.nextMoments.first?.at == start.advanced(by: .seconds(-4)))
        #expect(board.remove(.init("s", scope: "t1"), in: &set) == 1)
        #expect(set.rules.map(\.id) == ["a"])
    }

    @Test("a taken name or rule id is refused and changes nothing") func taken() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        _ = try board.start(scenario(#"{"add":[\#(Self.rule("a"))]}"#), at: start, pushes: 0, in: &set)
        let before = set
        for (name, id, field) in [("s", "b", "/name"), ("t", "a", "/steps/1/add/0/id")] {
            let other = try scenario(
                #"{"add":[\#(Self.rule("c"))]},{"after":"1h","add":[\#(Self.rule(id))]}"#, name: name)
            let error = #expect(throws: InputError.self) {
                try board.start(other, at: start, pushes: 0, in: &set)
            }
            #expect(error?.field == field)
            #expect(set == before)
            #expect(board.entries.count == 1)
        }
    }

    @Test("a removed scenario takes its rules with it, but not their replacements") func removed() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        _ = try board.start(
            scenario(#"{"add":[\#(Self.rule("a")),\#(Self.rule("b")),\#(Self.rule("c"))]}"#), at: start, pushes: 0,
            in: &set)
        let draft = try FaultDraft(json: JSONValue(parsing: #"{"action":{"type":"lose"}}"#))
        _ = try set.put(draft, id: "a", at: start)
        set.remove("b")
        #expect(board.remove(.init("s", scope: nil), in: &set) == 1)
        #expect(set.rules.map(\.id) == ["a"])
        #expect(board.remove(.init("s", scope: nil), in: &set) == nil)
    }

    @Test("a step whose rules can't be added is reported, and the scenario continues") func problem() throws {
        var board = ScenarioBoard()
        var set = FaultSet()
        let steps = #"{"after":"1s","add":[\#(Self.rule("a"))]},{"after":"2s","add":[\#(Self.rule("b"))]}"#
        _ = try board.start(scenario(steps), at: start, pushes: 0, in: &set)
        let draft = try FaultDraft(json: JSONValue(parsing: #"{"action":{"type":"lose"}}"#))
        _ = try set.put(draft, id: "a", at: start)
        _ = board.advance(at: { _ in start.advanced(by: .seconds(2)) }, pushes: 0, in: &set)
        let entry = try #require(board[.init("s", scope: nil)])
        let json = board.json(entry, pushes: 0, in: set)
        #expect(json["problem"]?.string?.contains("step 1") == true)
        #expect(json["rules"] == ["b"])
        #expect(json["stepsDone"] == 2)
        #expect(json["next"] == .null)
    }
}
