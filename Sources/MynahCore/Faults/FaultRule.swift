package import APNsRules

/// A fault: what the server does wrong, when, and to whom (`Documents#Fault-rules`); ``FaultCounters`` counts for it.
package struct FaultRule: Sendable, Hashable {
    static let idCountMax = 64
    package static let nameBytesMax = 200
    /// The highest priority; the lowest is its negative.
    static let priorityMax = 1_000_000

    /// The name in URLs and in the journal, unique among all rules.
    package fileprivate(set) var id: String
    package let name: String?
    /// The scope whose pushes it touches; `nil` for all pushes.
    package let scope: String?
    package let isEnabled: Bool
    /// Higher ones are asked first; of equals the newest.
    package let priority: Int
    package let match: FaultMatch
    package let schedule: FaultSchedule
    package fileprivate(set) var createdAt = Instant(milliseconds: 0)
    /// The seed of its random choices, where a scenario gave one; else the server's.
    package fileprivate(set) var seed: UInt64?
    /// The rule's number among the streams of the seed.
    fileprivate(set) var stream: UInt64 = 0
    /// The conditions of `match`, and the scope; found once, since every request asks.
    let conditions: [Filter.Condition]
    let patternByteCount: Int
    let usesChance: Bool

    /// The stream of a name, by FNV-1a; equal on every machine, unlike `Hasher`'s.
    static func stream(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The rule as the control API prints it, with what it has counted.
    package func json(_ counters: FaultCounters) -> JSONValue {
        let head: JSONValue = [
            "id": .string(id), "name": .text(name), "scope": .text(scope), "enabled": .bool(isEnabled),
            "priority": .whole(priority), "match": match.json,
        ]
        let tail: JSONValue = [
            "matched": .whole(counters.matched), "fired": .whole(counters.fired),
            "remaining": .whole(counters.remaining(of: schedule)), "createdAt": .string(createdAt.rfc3339),
        ]
        return .object([head, schedule.json, tail].flatMap { $0.object ?? [] })
    }
}

/// A rule as it was written, before the server has given it an id and a time.
package struct FaultDraft: Sendable, Hashable {
    /// `nil` for one that the server makes.
    package let id: String?
    package let rule: FaultRule

    /// What the server writes; ignored when it is read, so that an answer can be sent back.
    private static let written: Schema = [
        Member(
            "matched", .integer(0...Int64.max),
            summary: "Requests that matched; ignored when it is sent, as the next three."),
        Member("fired", .integer(0...Int64.max), summary: "How often it acted."),
        Member("remaining", .integer(0...Int64.max), summary: "How often it still will; null: no limit."),
        Member("createdAt", .time),
    ]
    package static let schema =
        [
            Member("id", .name("a rule id", bytesMax: FaultRule.idCountMax), summary: "Made, where none is given."),
            Member("name", .text(0...FaultRule.nameBytesMax)),
            Member("scope", ScopeName.form, summary: "Touches only pushes to devices of this scope."),
            Member("enabled", .bool, default: true),
            Member(
                "priority", .integer(-FaultRule.priorityMax...FaultRule.priorityMax),
                summary: "Higher ones are asked first, then the newest.", default: 0),
            Member("match", .any(schema: "FaultMatch")),
        ] + FaultSchedule.schema + written
}

extension FaultDraft {
    /// - Throws: ``InputError`` of the first member that is wrong, or would keep the rule from ever acting.
    package init(json: JSONValue, at pointer: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, FaultDraft.schema)
        let schedule = try FaultSchedule(reader)
        let match = try FaultMatch(
            json: reader["match"], at: reader.place("match"), events: schedule.actions[0].type.events)
        for (index, action) in schedule.actions.enumerated() {
            try action.check(
                at: match.event, place: schedule.isSequence ? reader.place("actions", index) : reader.place("action"))
        }
        let scope = reader.text("scope")
        try FaultDraft.check(scope, against: match, reader)
        if let by = schedule.rateOver?.by, match.event != .request, by == .token || by == .topic {
            throw InputError(
                at: reader.place("rateOver") + "/by",
                "there is no \(by.rawValue) at event \(match.event.rawValue), so the rule would never fire",
                allowed: ["connection", "all"])
        }
        id = reader.text("id")
        // `fault=none` is the filter for pushes that no rule touched.
        if id == "none" { throw reader.error("id", "none is what the filter fault calls a push without a fault") }
        rule = FaultRule(
            id: id ?? "", name: reader.text("name"), scope: scope, isEnabled: reader.bool("enabled") ?? true,
            priority: reader.integer("priority") ?? 0, match: match, schedule: schedule,
            conditions: Filter(scope: scope).conditions + match.filter.conditions,
            patternByteCount: match.filter.patternByteCount,
            usesChance: schedule.probability < 1 || schedule.actions.contains { $0.delay?.isRandom == true })
    }

    /// The rule in the form in which it is read, without what the server fills in.
    var json: JSONValue {
        let members = rule.json(FaultCounters()).object ?? []
        let own = members.filter { FaultDraft.written[$0.name] == nil && $0.name != "id" }
        return .object([JSONMember("id", .text(id))] + own)
    }

    package static func list(json: JSONValue, at pointer: String = "") throws(InputError) -> [FaultDraft] {
        guard let elements = json.array else { return [try FaultDraft(json: json, at: pointer)] }
        var drafts: [FaultDraft] = []
        var budget = PatternBudget(PatternBudget.rulesBytesMax)
        for (index, element) in elements.enumerated() {
            let draft = try FaultDraft(json: element, at: pointer + "/\(index)")
            try budget.take(draft.rule.patternByteCount, at: pointer + "/\(index)/match")
            drafts.append(draft)
        }
        return drafts
    }

    /// The rule with what the server gives it; without a `stream`, that of its id.
    package func made(id: String, at now: Instant, seed: UInt64? = nil, stream: UInt64? = nil) -> FaultRule {
        var made = rule
        (made.id, made.createdAt, made.seed, made.stream) = (id, now, seed, stream ?? FaultRule.stream(of: id))
        return made
    }

    private static func check(_ scope: String?, against match: FaultMatch, _ reader: ObjectReader) throws(InputError) {
        guard let scope else { return }
        guard match.event == .request else {
            throw reader.error(
                "scope",
                "a connection belongs to no scope, so a rule of event \(match.event.rawValue) with one never matches")
        }
        for condition in match.filter.conditions where condition.field == .key(.scope) {
            guard !condition.matcher.matches(anyOf: [.string(scope)]) else { continue }
            throw reader.error(
                "scope", "the rule touches pushes of scope \(scope) only, and match asks for others: it never matches")
        }
    }
}
