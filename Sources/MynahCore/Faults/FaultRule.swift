package import APNsRules

/// A fault: what the server does wrong, when, and to whom (`Documents#Fault-rules`).
///
/// Immutable; what it has counted is in ``FaultCounters``.
package struct FaultRule: Sendable, Hashable {
    /// The most characters of an id.
    package static let idCountMax = 64
    /// The most bytes of a name.
    package static let nameBytesMax = 200
    /// How far priorities reach on both sides of 0.
    package static let priorityMax = 1_000_000

    /// The name in URLs and in the journal, unique among all rules.
    package let id: String
    /// What it is for, for people.
    package let name: String?
    /// The scope whose pushes alone it touches; `nil` for all pushes.
    package let scope: String?
    /// Whether it is in force.
    package var isEnabled: Bool
    /// Higher ones are asked first; of equals the newest.
    package let priority: Int
    /// Which requests it is about.
    package let match: FaultMatch
    /// Which of those it acts on, and how.
    package let schedule: FaultSchedule
    /// When it was made, by the server's clock.
    package let createdAt: Instant
    /// The seed of its random choices, where a scenario gave one; else the server's.
    package let seed: UInt64?

    /// The rule's number among the streams of the seed.
    package let stream: UInt64

    // All conditions: those of `match`, and the scope. Found once, since every request asks.
    let conditions: [Filter.Condition]
    // The size in memory of the regular expressions in them.
    let patternByteCount: Int
    // Whether anything that it does depends on random numbers.
    let usesChance: Bool

    /// A rule.
    package init(
        id: String, name: String? = nil, scope: String? = nil, isEnabled: Bool = true, priority: Int = 0,
        match: FaultMatch = FaultMatch(), schedule: FaultSchedule, createdAt: Instant, seed: UInt64? = nil,
        stream: UInt64? = nil
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        self.isEnabled = isEnabled
        self.priority = priority
        self.match = match
        self.schedule = schedule
        self.createdAt = createdAt
        self.seed = seed
        let ofScope = scope.map { Filter.Condition(.key(.scope), .equal(.string($0))) }
        self.conditions = (ofScope.map { [$0] } ?? []) + match.filter.conditions
        self.patternByteCount = match.filter.patternByteCount
        self.usesChance = schedule.probability < 1 || schedule.actions.contains { $0.delay?.isRandom == true }
        self.stream = stream ?? FaultRule.stream(of: id)
    }

    /// The stream of a name; equal on every machine, unlike `Hasher`'s.
    static func stream(of name: String) -> UInt64 {
        // FNV-1a.
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The rule as the control API prints it, with what it has counted.
    package func json(_ counters: FaultCounters) -> JSONValue {
        let head: [JSONMember] = [
            JSONMember("id", .string(id)), JSONMember("name", .text(name)), JSONMember("scope", .text(scope)),
            JSONMember("enabled", .bool(isEnabled)), JSONMember("priority", .whole(priority)),
            JSONMember("match", match.json),
        ]
        let tail: [JSONMember] = [
            JSONMember("matched", .whole(counters.matched)),
            JSONMember("fired", .whole(counters.fired)),
            JSONMember("remaining", .whole(counters.remaining(of: schedule))),
            JSONMember("createdAt", .string(createdAt.rfc3339)),
        ]
        return .object(head + schedule.members + tail)
    }
}

/// A rule as somebody wrote it, before the server has given it what it lacks.
package struct FaultDraft: Sendable, Hashable {
    /// The id that was asked for; the server makes one where there is none.
    package let id: String?
    /// Everything else.
    package let rule: FaultRule

    /// What the server writes; read over, so that an answer can be sent back.
    private static let written: Schema = [
        Member(
            "matched", .integer(0...Int64.max), "Requests that matched; ignored when it is sent, as the next three."),
        Member("fired", .integer(0...Int64.max), "How often it acted."),
        Member("remaining", .integer(0...Int64.max), "How often it still will; null: no limit."),
        Member("createdAt", .time),
    ]
    /// All members of a rule.
    package static let schema =
        [
            Member("id", .name("a rule id", bytesMax: FaultRule.idCountMax), "Made, where none is given."),
            Member("name", .text(0...FaultRule.nameBytesMax)),
            Member(
                "scope", ScopeName.form, "Touches only pushes to devices of this scope."),
            Member("enabled", .bool, default: true),
            Member(
                "priority", .integer(-FaultRule.priorityMax...FaultRule.priorityMax),
                "Higher ones are asked first, then the newest.", default: 0),
            Member("match", .any(schema: "FaultMatch")),
        ] + FaultSchedule.schema + written

    /// Reads a rule.
    ///
    /// - Throws: ``InputError`` of the first member that is wrong, contradicts another, or would keep the rule from ever
    ///   acting.
    package init(json: JSONValue, at pointer: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, FaultDraft.schema)
        let schedule = try FaultSchedule(reader)
        let match = try FaultMatch(
            json: reader["match"], at: reader.place("match"), events: schedule.actions[0].type.events)
        for (index, action) in schedule.actions.enumerated() {
            try action.check(
                at: match.event,
                place: schedule.isSequence ? reader.place("actions", index) : reader.place("action"))
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
            createdAt: Instant(milliseconds: 0))
    }

    /// The rule in the form in which it is read, without what the server fills in.
    var json: JSONValue {
        let members = rule.json(FaultCounters()).object ?? []
        let own = members.filter { FaultDraft.written[$0.name] == nil && $0.name != "id" }
        return .object([JSONMember("id", .text(id))] + own)
    }

    /// Reads one rule or an array of them.
    ///
    /// - Throws: ``InputError``; of an array with the index in the pointer.
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
        FaultRule(
            id: id, name: rule.name, scope: rule.scope, isEnabled: rule.isEnabled, priority: rule.priority,
            match: rule.match, schedule: rule.schedule, createdAt: now, seed: seed, stream: stream)
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
