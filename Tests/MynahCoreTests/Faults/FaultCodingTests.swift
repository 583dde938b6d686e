import APNsRules
import Testing

@testable import MynahCore

/// Rules, scenarios and counters that are driven by random numbers, and can be driven on in two copies.
private struct DrivenFaults {
    /// What a claim, a step or a change returned: values, since text made of them takes many times as long.
    enum Answer: Equatable {
        case problem(String)
        case ids([String])
        case rules([FaultRule])
        case put(FaultRule, isNew: Bool)
        case firing(push: Int, FaultFiring)
    }

    var set = FaultSet()
    var board = ScenarioBoard()
    var counters: [String: FaultCounters] = [:]
    var random: SeededGenerator
    private var now = noon
    private var pushes = 0
    private var names = 0
    /// What all claims, steps and changes returned.
    private(set) var answers: [Answer] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let rules = [
        #"{"action":{"type":"stall"},"match":{"topic":{"prefix":"com.example"}},"probability":0.3}"#,
        #"{"action":{"type":"stall"},"scope":"tests","skip":2,"every":2,"times":9}"#,
        #"{"action":{"type":"stall"},"rateOver":{"count":2,"per":"3s","by":"token"},"rulePriority":5}"#,
        #"{"action":{"type":"stall"},"rateOver":{"count":3,"per":"5s","by":"topic"},"enabled":true,"name":"r"}"#,
        #"{"action":{"type":"stall"},"rateOver":{"count":1,"per":"1s","by":"connection"}}"#,
        #"{"action":{"type":"stall"},"rateOver":{"count":4,"per":"2s"},"activeFrom":"2026-11-21T12:00:05.123Z"}"#,
        #"{"actions":[{"type":"stall"},{"type":"respond","status":500,"reason":"InternalServerError"}],"then":"last"}"#,
        #"{"match":{"searchText":{"regex":"h[aeiou]"}},"action":{"type":"stall","afterPushes":3}}"#,
    ]

    private static let scenario = #"""
        {"name":"NAME","description":"d","seed":7,"steps":[
          {"add":[{"action":{"type":"stall"}},{"id":"NAME-a","action":{"type":"stall"}}]},
          {"after":"4s","remove":["NAME-a"]},{"after":{"pushes":9},"add":[{"action":{"type":"stall"}}]}]}
        """#

    mutating func step() {
        let rule = DrivenFaults.rules[Int.random(in: 0..<DrivenFaults.rules.count, using: &random)]
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<3: note { set throws(InputError) in .rules(try set.add([FaultDraft(json: json(rule))], at: noon)) }
        case 3:
            note { set throws(InputError) in
                let (rule, isNew) = try set.put(FaultDraft(json: json(rule)), id: "mine", at: noon)
                return .put(rule, isNew: isNew)
            }
        case 4:
            guard let id = someID else { return }
            note { set throws(InputError) in
                .rules(
                    [try set.patch(id, with: json(#"{"rulePriority":3,"match":{"scope":null}}"#))].compactMap(\.self))
            }
        case 5: if let id = someID { answers.append(.ids([set.remove(id)?.id ?? "none"])) }
        case 6: answers.append(.ids(set.removeAll(ofScope: Bool.random(using: &random) ? "tests" : nil)))
        case 7:
            names += 1
            let text = DrivenFaults.scenario.replacing("NAME", with: "s\(names)")
            let now = now
            let pushes = pushes
            var board = board
            note { set throws(InputError) in
                .ids(try board.start(Scenario(json: json(text)), at: now, pushes: pushes, in: &set))
            }
            self.board = board
        case 8: if let entry = board.entries.first { _ = board.remove(entry.scenario.id, in: &set) }
        case 9: board.move { _ in .milliseconds(1) }
        default: push()
        }
        answers.append(.ids(board.advance(at: { _ in now }, pushes: pushes, in: &set)))
        counters = counters.filter { set.age(of: $0.key) != nil }
    }

    private mutating func note(_ change: (inout FaultSet) throws(InputError) -> Answer) {
        do throws(InputError) {
            answers.append(try change(&set))
        } catch {
            answers.append(.problem(error.problem))
        }
    }

    private var someID: String? {
        mutating get { set.rules.isEmpty ? nil : set.rules[Int.random(in: set.rules.indices, using: &random)].id }
    }

    private mutating func push() {
        now = now.advanced(by: .milliseconds(Int.random(in: 0...800, using: &random)))
        pushes += 1
        var facts = FaultFacts.push(
            token: Bool.random(using: &random) ? Entry.aToken : Entry.anotherToken,
            topic: "com.example.app\(Int.random(in: 0..<3, using: &random))",
            connection: UInt64.random(in: 1...5, using: &random),
            scope: Bool.random(using: &random) ? "tests" : nil, at: now)
        var prefilter = FaultPrefilter()
        prefilter.adopt(set)
        for rule in prefilter.candidates(for: &facts) {
            guard let firing = counters[rule.id, default: FaultCounters()].claim(rule, for: facts, seed: 3) else {
                continue
            }
            answers.append(.firing(push: pushes, firing))
        }
    }

    /// The same as it is read from its bytes.
    func readAgain() throws -> DrivenFaults {
        var read = self
        read.set = try set.readAgain()
        read.board = try board.readAgain()
        read.counters = try counters.mapValues { try $0.readAgain() }
        return read
    }

    var seen: [JSONValue] {
        self.set.rules.map { rule in rule.json(counters[rule.id] ?? FaultCounters()) }
            + board.entries.map { board.json($0, pushes: pushes, in: set) }
    }

    var bytes: [UInt8] { self.set.coded + board.coded + counters.coded }
}

@Suite("Faults as bytes") struct FaultCodingTests {
    @Test("come back and go on as they were", arguments: 0..<40 as Range<UInt64>) func comeBack(seed: UInt64) throws {
        var one = DrivenFaults(seed: seed)
        for _ in 0..<5 {
            for _ in 0..<60 { one.step() }
            var other = try one.readAgain()
            #expect(other.set == one.set)
            #expect(other.seen == one.seen)
            for _ in 0..<60 {
                one.step()
                other.step()
            }
            #expect(other.answers == one.answers)
            #expect(other.seen == one.seen)
            #expect(other.bytes == one.bytes)
        }
        #expect(
            one.answers.contains { answer in
                if case .firing(_, let firing) = answer { firing.action.kind == .stall } else { false }
            })
    }

    @Test("a firing of each action comes back") func firings() throws {
        let delays: [FaultDelay.Length] = [
            .uniform(.seconds(1), .milliseconds(2500)), .normal(mean: .seconds(9), deviation: .milliseconds(1)),
        ]
        let actions =
            MagicTokens.all.map(\.action)
            + delays.map { FaultAction(.pass, delay: FaultDelay($0, clock: .virtual)) }
            + [FaultAction(.wire(.close(.rst, afterBytes: nil)), afterPushes: 3)]
        for (number, action) in actions.enumerated() {
            var random = SeededGenerator(seed: 5).split(for: UInt64(number))
            _ = random.next()
            let firing = FaultFiring(ruleID: "f-\(number)", action: action, random: random)
            #expect(try firing.readAgain() == firing)
        }
    }

    @Test("the memory of a rate that is full comes back") func fullRate() throws {
        let rate = FaultSchedule.Rate(count: 2, window: .seconds(1), by: .connection)
        var window = RateWindow()
        for step in 0..<2000 {
            _ = window.isExceeded(.connection(UInt64(step % 300)), rate, at: noon.advanced(by: .milliseconds(step)))
        }
        var other = try window.readAgain()
        #expect(other.stampCount == window.stampCount)
        for step in 2000..<4000 {
            let key = RateWindow.Key.connection(UInt64(step % 301))
            let now = noon.advanced(by: .milliseconds(step))
            #expect(other.isExceeded(key, rate, at: now) == window.isExceeded(key, rate, at: now))
        }
        #expect(other.coded == window.coded)
    }

    @Test("the connections that a rule has met come back, and are forgotten alike") func connections() throws {
        var one = Met<UInt64>()
        var random = SeededGenerator(seed: 1)
        func number() -> UInt64 { UInt64(random.number(in: 1...6000)) }
        for _ in 0..<9000 { _ = one.countRequest(of: number()) }
        var other = try one.readAgain()
        for _ in 0..<9000 {
            let connection = number()
            let (place, request) = one.countRequest(of: connection)
            #expect(other.countRequest(of: connection) == (place, request))
        }
    }

    @Test("damaged bytes are a problem or a value", arguments: 0..<3 as Range<UInt64>) func damage(seed: UInt64) {
        var driven = DrivenFaults(seed: seed)
        for _ in 0..<200 { driven.step() }
        expectNoTrap(driven.set.coded, count: 200, seed: seed) { bytes throws(CodingProblem) in
            _ = try FaultSet(coded: bytes)
        }
        expectNoTrap(driven.board.coded, count: 200, seed: seed) { bytes throws(CodingProblem) in
            _ = try ScenarioBoard(coded: bytes)
        }
        expectNoTrap(driven.counters.coded, count: 200, seed: seed) { bytes throws(CodingProblem) in
            _ = try [String: FaultCounters](coded: bytes)
        }
    }

    @Test("a document that is no rule is a problem that names its member") func noRule() throws {
        var writer = ByteWriter()
        let rule = try FaultRule.made(#"{"action":{"type":"stall"}}"#)
        writer.write(rule.id, rule.createdAt, rule.seed)
        writer.write(fixed: rule.stream)
        writer.write(["action": ["type": "explode"]] as JSONValue)
        let problem = #expect(throws: CodingProblem.self) { try FaultRule(coded: writer.bytes) }
        #expect(problem?.description.contains("/action/type") == true)
    }
}

@Suite("Rules that would be refused now")
struct KeptRuleTests {
    private static let matches = [
        #"{"payloadIncludes":{"aps.alert":"x"}}"#, #"{"payload":{"/aps.alert":"x"}}"#, #"{"topic":"com.*"}"#,
        #"{"token":{"regex":"^[g-z]"}}"#, #"{"pushType":"Alert"}"#, #"{"keyId":{"contains":"ABC123DEFGH"}}"#,
        #"{"scope":"a b","device":null}"#, #"{"headers":{"apns-topik":"x"}}"#, #"{"screen":{"/title":"x"}}"#,
        #"{"apnsId":"07C0*","kind":["push","mail"]}"#, #"{"topic":{"prefix":""}}"#,
    ]

    private func encoded(_ rule: FaultRule) throws -> FaultRule {
        var writer = ByteWriter()
        rule.write(to: &writer)
        var reader = ByteReader(writer.bytes)
        return try FaultRule(from: &reader)
    }

    @Test("are read from what was kept, and written as they were", arguments: matches)
    func rule(match: String) throws {
        let document = json(
            #"{"match":MATCH,"scope":"t1","action":{"type":"stall"},"times":2}"#
                .replacing("MATCH", with: match))
        #expect(throws: InputError.self) { try FaultDraft(json: document) }
        let draft = try FaultDraft(kept: document)
        let rule = draft.made(id: "odd", at: noon)
        #expect(rule.scope == "t1")
        #expect(try encoded(rule) == rule)
        #expect(try FaultDraft(kept: draft.json) == draft)
        let scenario = try Scenario(
            kept: json(#"{"name":"odd","steps":[{"add":[RULE]}]}"#.replacing("RULE", with: draft.json.encodedText)))
        #expect(try Scenario(kept: scenario.json) == scenario)
    }

    @Test("are changed as they were kept")
    func change() throws {
        let old = try FaultDraft(kept: json(#"{"id":"odd","match":{"topic":"com.*"},"action":{"type":"stall"}}"#))
            .made(id: "odd", at: noon)
        let change = json(#"{"enabled":false}"#)
        #expect(throws: InputError.self) { try FaultSet.draft(of: old, with: change) }
        #expect(try FaultSet.draft(of: old, with: change, isKept: true).rule.isEnabled == false)
    }

    @Test("with anything else that is wrong, are refused")
    func otherwiseWrong() {
        let error = #expect(throws: InputError.self) {
            try FaultDraft(kept: json(#"{"match":{"topic":"com.*"},"action":{"type":"stahl"}}"#))
        }
        #expect(error?.field == "/action/type")
    }
}
