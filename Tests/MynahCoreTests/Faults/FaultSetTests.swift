import APNsRules
import Testing

@testable import MynahCore

@Suite("The list of fault rules")
struct FaultSetTests {
    private static let stall = #"{"action":{"type":"stall"}}"#

    private func ids(_ set: FaultSet) -> [String] { set.rules.map(\.id) }

    @Test("rules are ordered by rulePriority, then newest first")
    func order() throws {
        let set = try FaultSet.of(
            #"{"id":"a","action":{"type":"stall"}}"#, #"{"id":"b","rulePriority":5,"action":{"type":"stall"}}"#,
            #"{"id":"c","rulePriority":-1,"action":{"type":"stall"}}"#, #"{"id":"d","action":{"type":"stall"}}"#,
            #"{"id":"e","rulePriority":5,"action":{"type":"stall"}}"#)
        #expect(ids(set) == ["e", "b", "d", "a", "c"])
    }

    @Test("rules without an id get numbers that are never reused")
    func generatedIDs() throws {
        var set = FaultSet()
        let drafts = try FaultDraft.list(
            json: json("[\(Self.stall),{\"id\":\"f-2\",\"action\":{\"type\":\"lose\"}},\(Self.stall)]"))
        #expect(try set.add(drafts, at: noon).map(\.id) == ["f-1", "f-2", "f-3"])
        set.remove("f-3")
        #expect(try set.add([FaultDraft(Self.stall)], at: noon).map(\.id) == ["f-4"])
        #expect(set["f-2"]?.createdAt == noon)
    }

    @Test(
        "rules without an id draw by their place in their scope, counted anew after its rules are removed"
    )
    func unnamedStreams() throws {
        var set = FaultSet()
        func add(_ scope: String?) throws -> UInt64 {
            let scope = scope.map { #","scope":"\#($0)""# } ?? ""
            let rules = try set.add([FaultDraft(#"{"action":{"type":"stall"}\#(scope)}"#)], at: noon)
            return try #require(rules.first?.stream)
        }
        let first = try add(nil)
        let second = try add(nil)
        let inScope = try add("t1")
        let inOther = try add("t2")
        #expect(Set([first, second, inScope, inOther]).count == 4)
        _ = set.removeAll(ofScope: "t1")
        #expect(try add("t1") == inScope)
        #expect(try add("t2") != inOther)
        _ = set.removeAll()
        #expect(try [add(nil), add(nil), add("t1"), add("t2")] == [first, second, inScope, inOther])
        // A patch keeps it, and a rule with an id of its own draws by that.
        let id = try #require(set.rules.last?.id)
        let before = set[id]?.stream
        _ = try set.patch(id, with: json(#"{"times":3}"#))
        #expect(set[id]?.stream == before)
        #expect(try set.add([FaultDraft(#"{"id":"x","action":{"type":"stall"}}"#)], at: noon)[0].stream != before)
    }

    @Test("a list is added whole or not at all")
    func allOrNothing() throws {
        var set = try FaultSet.of(#"{"id":"a","action":{"type":"stall"}}"#)
        let before = set
        let drafts = try FaultDraft.list(json: json("[\(Self.stall),{\"id\":\"a\",\"action\":{\"type\":\"lose\"}}]"))
        let error = #expect(throws: InputError.self) { _ = try set.add(drafts, at: noon) }
        #expect(error?.field == "/1/id")
        #expect(set == before)
    }

    @Test("two rules of one list may not share an id")
    func sameIDs() throws {
        var set = FaultSet()
        let twice = try FaultDraft(#"{"id":"a","action":{"type":"stall"}}"#)
        #expect(throws: InputError.self) { _ = try set.add([twice, twice], at: noon) }
        #expect(set.rules.isEmpty)
    }

    @Test("put adds a rule or replaces it, and it is then the newest")
    func put() throws {
        var set = try FaultSet.of(#"{"id":"a","action":{"type":"stall"}}"#, #"{"id":"b","action":{"type":"stall"}}"#)
        let draft = try FaultDraft(#"{"action":{"type":"lose"}}"#)
        #expect(try set.put(draft, id: "a", at: noon).isNew == false)
        #expect(ids(set) == ["a", "b"])
        #expect(set["a"]?.schedule.actions[0].kind == .lose)
        #expect(try set.put(draft, id: "c", at: noon).isNew)
        let other = try FaultDraft(#"{"id":"x","action":{"type":"lose"}}"#)
        let error = #expect(throws: InputError.self) { _ = try set.put(other, id: "c", at: noon) }
        #expect(error?.field == "/id")
    }

    @Test("patch changes what it names and nothing else")
    func patch() throws {
        var set = try FaultSet.of(
            #"{"id":"a","match":{"topic":"com.a","priority":5},"times":3,"actions":[{"type":"stall"}],"then":"last"}"#,
            #"{"id":"b","action":{"type":"stall"}}"#)
        let age = ids(set)
        func patch(_ text: String) throws -> JSONValue? {
            try set.patch("a", with: json(text))?.json(FaultCounters())
        }
        #expect(try patch(#"{"times":5,"enabled":false}"#)?["times"] == 5)
        #expect(set["a"]?.isEnabled == false)
        #expect(
            try patch(#"{"match":{"topic":null,"team":"TEAM000001"}}"#)?["match"]
                == json(#"{"priority":5,"team":"TEAM000001","event":"request"}"#))
        #expect(try patch(#"{"action":{"type":"lose"}}"#)?["actions"] == .null)
        #expect(set["a"]?.schedule.then == .pass)
        #expect(try patch(#"{"actions":[{"type":"lose"}],"then":"repeat"}"#)?["action"] == .null)
        #expect(try patch(#"{"times":null}"#)?["times"] == .null)
        #expect(ids(set) == age)
        #expect(try patch(#"{"rulePriority":1}"#)?["id"] == "a")
        #expect(ids(set) == ["a", "b"])
        #expect(try set.patch("nobody", with: json("{}")) == nil)
        for (text, field) in [
            (#"{"times":0}"#, "/times"), (#"{"id":"z"}"#, "/id"), (#"{"time":1}"#, "/time"), ("5", ""),
            (#"{"match":{"topic":{"starts":"a"}}}"#, "/match/topic/starts"),
        ] {
            let before = set
            let error = #expect(throws: InputError.self) { _ = try set.patch("a", with: json(text)) }
            #expect(error?.field == field)
            #expect(set == before)
        }
    }

    @Test("rules are removed one by one, by scope, or all")
    func removal() throws {
        var set = try FaultSet.of(
            #"{"id":"a","scope":"t1","action":{"type":"stall"}}"#,
            #"{"id":"b","scope":"t2","action":{"type":"stall"}}"#,
            #"{"id":"c","scope":"t1","action":{"type":"stall"}}"#, #"{"id":"d","action":{"type":"stall"}}"#)
        let ofScope = set.removeAll(ofScope: "t1")
        #expect(Set(ofScope) == ["a", "c"])
        let first = set.remove("b")
        let second = set.remove("b")
        #expect(first?.id == "b")
        #expect(second == nil)
        let rest = set.removeAll()
        #expect(rest == ["d"])
        #expect(set.rules.isEmpty)
        #expect(try set.add([FaultDraft(#"{"id":"a","action":{"type":"stall"}}"#)], at: noon).count == 1)
    }

    @Test("an event is known to have rules only while one is enabled")
    func contains() throws {
        var set = try FaultSet.of(#"{"id":"a","action":{"type":"refuse"}}"#)
        #expect(set.contains(.accept) && FaultPrefilter(set).contains(.accept))
        #expect(!set.contains(.request) && !FaultPrefilter(set).contains(.request))
        _ = try set.patch("a", with: ["enabled": false])
        #expect(!set.contains(.accept) && !FaultPrefilter(set).contains(.accept))
        let missing = try set.patch("b", with: ["enabled": true])
        #expect(missing == nil)
    }

    @Test("the first rule that claims a request acts alone, and later rules are not asked")
    func firstClaim() throws {
        var prefilter = FaultPrefilter(
            try .of(
                #"{"id":"low","action":{"type":"stall"}}"#, #"{"id":"spent","times":1,"action":{"type":"lose"}}"#,
                #"{"id":"other","rulePriority":9,"match":{"topic":"com.other"},"action":{"type":"lose"}}"#))
        var counters: [String: FaultCounters] = [:]
        var acted: [String?] = []
        for _ in 0..<3 {
            var facts = FaultFacts.push()
            let firing = prefilter.first(for: &facts) { rule, facts in
                counters[rule.id, default: FaultCounters()].claim(rule, for: facts, seed: 1)
            }
            acted.append(firing?.ruleID)
        }
        #expect(acted == ["spent", "low", "low"])
        #expect(counters["low"]?.matched == 2)
        #expect(counters["other"] == nil)
    }
}

@Suite("Finding the rules that match")
struct FaultPrefilterTests {
    private static let topics = ["com.a", "com.b", "com.c"]
    private static let tokens = [Entry.aToken, Entry.anotherToken, String(repeating: "cd", count: 80), "c0ffee"]
    private static let fields = [
        ("x-a", "1"), ("x-a", "2"), ("x-bc", "1"), (String(repeating: "long-", count: 20), "1"), ("user-agent", "a"),
        ("user-agent", "b"), ("apns-priority", "5"),
    ]

    private func element<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private func matcher(_ values: [String], _ random: inout SeededGenerator) -> String {
        let value = element(values, &random)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: "\"\(value)\""
        case 2: "[\"\(value)\",\"\(element(values, &random))\"]"
        case 3: "{\"prefix\":\"\(value.prefix(element([1, 5, 20], &random)))\"}"
        case 4: "{\"not\":\"\(value)\"}"
        case 5: "{\"regex\":\"\(value.suffix(1))$\"}"
        case 6: "{\"regex\":\"^\(value.prefix(4))\"}"
        case 7: "{\"regex\":\"^\(value.prefix(2))x*\"}"
        case 8: "{\"regex\":\"^zz|\(value.prefix(3))\"}"
        default: "{\"regex\":\"^\(value.prefix(1))z?\(value.dropFirst().prefix(1))\"}"
        }
    }

    private func rule(_ random: inout SeededGenerator) -> String {
        let kinds = [
            ("topic", Self.topics), ("token", Self.tokens), ("device", ["d1", "d2"]), ("scope", ["s1", "s2"]),
            ("team", ["TEAM000001", "TEAM000002"]), ("collapseId", ["c1", "c2"]),
        ]
        var members: [String] = []
        for (key, values) in kinds where Int.random(in: 0..<4, using: &random) == 0 {
            members.append("\"\(key)\":\(matcher(values, &random))")
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            members.append("\"connection\":\(element(["1", "{\"gte\":2}", "[1,3]"], &random))")
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let values = ["\"NEWS\"", "3", "3.0", "[\"NEWS\",4]", "{\"gte\":3}", "null", "[null,3]", "[[1],3]"]
            members.append("\"payload\":{\"/aps/x\":\(element(values, &random))}")
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let (name, value) = element(Self.fields, &random)
            members.append("\"headers\":{\"\(name)\":\(matcher([value, "2"], &random))}")
        }
        let enabled = Int.random(in: 0..<8, using: &random) > 0
        return """
            {"rulePriority":\(Int.random(in: -1...1, using: &random)),"enabled":\(enabled),\
            "match":{\(members.joined(separator: ","))},"action":{"type":"pass"}}
            """
    }

    private func isMet(_ rule: FaultRule, _ facts: FaultFacts) -> Bool {
        var facts = facts
        return rule.conditions.allSatisfy { $0.matcher.matches(anyOf: facts.values(of: $0.field)) }
    }

    @Test("the index finds what asking every rule finds, in the same order", arguments: 0..<20 as Range<UInt64>)
    func index(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var set = FaultSet()
        for _ in 0..<60 { _ = try set.add([FaultDraft(rule(&random))], at: noon) }
        var prefilter = FaultPrefilter(set)
        for number in 0..<60 {
            let facts = FaultFacts.push(
                token: element(Self.tokens, &random), topic: element(Self.topics + [nil], &random),
                headers: element([[], [("apns-collapse-id", "c1")], [("apns-collapse-id", "c3")]], &random)
                    // Some of them twice, with equal values or others.
                    + (0..<Int.random(in: 0...4, using: &random)).map { _ in element(Self.fields, &random) },
                body: element(["{}", "no", "3", "\"NEWS\"", "3.0", "4", "[1]", "true"], &random).wrapped,
                connection: UInt64.random(in: 1...3, using: &random),
                team: element(["TEAM000001", "TEAM000003", nil], &random),
                device: element(["d1", "d3", nil], &random), scope: element(["s1", "s3", nil], &random))
            var given = facts
            let found = prefilter.candidates(for: &given).map(\.id)
            let naive = set.rules.filter { $0.isEnabled && isMet($0, facts) }.map(\.id)
            #expect(found == naive)
            // Every tenth push the list changes.
            guard number % 10 == 9, let gone = set.rules.randomElement(using: &random) else { continue }
            set.remove(gone.id)
            prefilter.adopt(set)
        }
    }

    @Test("a push that a rule matches is never excluded", arguments: 0..<20 as Range<UInt64>)
    func excluded(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            var set = FaultSet()
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let (key, values) = element([("topic", Self.topics), ("token", Self.tokens)], &random)
                let (name, value) = element(Self.fields, &random)
                let members = [
                    "\"\(key)\":\(matcher(values, &random))", "\"connection\":\(element(["1", "[1,3]"], &random))",
                    "\"headers\":{\"\(name)\":\"\(value)\"}",
                ]
                _ = try set.add(
                    [FaultDraft("{\"match\":{\(element(members, &random))},\"action\":{\"type\":\"pass\"}}")], at: noon)
            }
            var prefilter = FaultPrefilter(set)
            for _ in 0..<10 {
                let push = Candidate.push(
                    token: element(Self.tokens, &random), topic: element(Self.topics + [nil], &random),
                    headers: element([[], [element(Self.fields, &random)]], &random))
                let connection = UInt64.random(in: 1...3, using: &random)
                var facts = FaultFacts(push: push, connection: connection)
                let isMatched = !prefilter.candidates(for: &facts).isEmpty
                let isExcluded = prefilter.excludes(push, connection: connection)
                #expect(!isMatched || !isExcluded)
            }
        }
    }

    @Test(
        "a push to another token, topic, connection or field is excluded without its facts",
        arguments: [
            #"{"token":"\#(Entry.anotherToken)"}"#, #"{"token":{"prefix":"abcd"}}"#, #"{"topic":"com.other"}"#,
            #"{"topic":{"prefix":"com.o"}}"#, #"{"topic":"com.other","payload":{"/aps/x":1}}"#, #"{"connection":2}"#,
            #"{"headers":{"x-other":"1"}}"#,
        ])
    func excludedByName(match: String) throws {
        var prefilter = FaultPrefilter(try .of("{\"match\":\(match),\"action\":{\"type\":\"pass\"}}"))
        // The second time by what is remembered of the topic.
        for _ in 0..<2 {
            let isExcluded = prefilter.excludes(.push(headers: [("x-a", "1")]), connection: 1)
            #expect(isExcluded)
        }
    }

    @Test("a replaced rule is matched by its new conditions")
    func adopted() throws {
        var set = try FaultSet.of(#"{"id":"a","match":{"topic":{"regex":"app$"}},"action":{"type":"pass"}}"#)
        var prefilter = FaultPrefilter(set)
        var facts = FaultFacts.push()
        let before = prefilter.candidates(for: &facts)
        #expect(before.count == 1)
        _ = try set.patch("a", with: json(#"{"match":{"topic":{"regex":"^other"}}}"#))
        prefilter.adopt(set)
        let after = prefilter.candidates(for: &facts)
        #expect(after.isEmpty)
    }

    @Test("devices are looked up only if a rule names them or their scope")
    func devices() throws {
        #expect(!FaultPrefilter(try .of(#"{"match":{"topic":"a"},"action":{"type":"pass"}}"#)).namesDevices)
        #expect(FaultPrefilter(try .of(#"{"match":{"device":"a"},"action":{"type":"pass"}}"#)).namesDevices)
        #expect(FaultPrefilter(try .of(#"{"scope":"a","action":{"type":"pass"}}"#)).namesDevices)
    }
}

extension String {
    /// A payload with this in it.
    fileprivate var wrapped: String { "{\"aps\":{\"x\":\(self)}}" }
}
