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
            JSONMember("enabled", .bool(isEnabled)), JSONMember("priority", .number(JSONNumber(priority))),
            JSONMember("match", match.json),
        ]
        let tail: [JSONMember] = [
            JSONMember("matched", .number(JSONNumber(counters.matched))),
            JSONMember("fired", .number(JSONNumber(counters.fired))),
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

    /// Members that the server writes; taken from a rule that was read before, and not believed.
    static let serverNames = ["matched", "fired", "remaining", "createdAt"]
    /// All members of a rule.
    package static let memberNames =
        ["id", "name", "scope", "enabled", "priority", "match"] + FaultSchedule.memberNames + serverNames

    /// Reads a rule.
    ///
    /// What the server fills in (`matched`, `fired`, `remaining`, `createdAt`) may be there, so that an answer can be
    /// sent back, and does not count.
    /// - Parameters:
    ///   - json: The object.
    ///   - pointer: Where it is in the request's body.
    /// - Throws: ``QueryError`` of the first field that is wrong, contradicts another, or would keep the rule from
    ///   ever acting.
    package init(json: JSONValue, at pointer: String = "") throws(QueryError) {
        let fields = try FaultFields(json, at: pointer, what: "rule", known: FaultDraft.memberNames)
        let schedule = try FaultSchedule(fields)
        let scope = try FaultDraft.name(fields, "scope", countMax: FaultRule.idCountMax)
        let match = try FaultMatch(
            json: fields["match"], at: fields.place("match"), events: schedule.actions[0].type.events)
        for (index, action) in schedule.actions.enumerated() {
            try action.check(
                at: match.event,
                place: schedule.isSequence ? fields.place("actions") + "/\(index)" : fields.place("action"))
        }
        try FaultDraft.check(scope, against: match, fields)
        try FaultDraft.check(schedule.rateOver, against: match, fields)
        for name in ["matched", "fired", "remaining"] { _ = try fields.whole(name, in: 0...Int64.max) }
        _ = try fields.instant("createdAt")
        let title = try fields.text("name")
        if let title, title.utf8.count > FaultRule.nameBytesMax {
            throw fields.error(
                "name", "\(title.utf8.count) bytes were given; at most \(FaultRule.nameBytesMax) were expected")
        }
        let id = try FaultDraft.name(fields, "id", countMax: FaultRule.idCountMax)
        // `fault=none` is the filter for pushes that no rule touched.
        if id == "none" { throw fields.error("id", "none is what the filter fault calls a push without a fault") }
        self.id = id
        self.rule = FaultRule(
            id: id ?? "", name: title, scope: scope, isEnabled: try fields.truth("enabled") ?? true,
            priority: try fields.count("priority", in: -FaultRule.priorityMax...FaultRule.priorityMax) ?? 0,
            match: match, schedule: schedule, createdAt: Instant(milliseconds: 0))
    }

    /// Reads one rule or an array of them.
    ///
    /// - Throws: ``QueryError``; of an array with the index in the pointer.
    package static func list(json: JSONValue, at pointer: String = "") throws(QueryError) -> [FaultDraft] {
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

    // MARK: - Checks

    // The alphabet of scopes (`ControlAPI`): both stand in URLs.
    private static func name(_ fields: FaultFields, _ name: String, countMax: Int) throws(QueryError) -> String? {
        guard let text = try fields.text(name) else { return nil }
        let isWellFormed = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard isWellFormed, (1...countMax).contains(text.utf8.count) else {
            throw fields.error(
                name, "\(text) was given; 1 to \(countMax) characters of A-Z a-z 0-9 . _ - were expected")
        }
        return text
    }

    private static func check(_ scope: String?, against match: FaultMatch, _ fields: FaultFields) throws(QueryError) {
        guard let scope else { return }
        guard match.event == .request else {
            throw fields.error(
                "scope",
                "a connection belongs to no scope, so a rule of event \(match.event.rawValue) with one never matches")
        }
        for condition in match.filter.conditions where condition.field == .key(.scope) {
            guard !condition.matcher.matches(anyOf: [.string(scope)]) else { continue }
            throw fields.error(
                "scope", "the rule touches pushes of scope \(scope) only, and match asks for others: it never matches")
        }
    }

    private static func check(
        _ rate: FaultSchedule.Rate?, against match: FaultMatch, _ fields: FaultFields
    ) throws(QueryError) {
        guard let rate, match.event != .request else { return }
        guard rate.by == .token || rate.by == .topic else { return }
        throw QueryError(
            fields.place("rateOver") + "/by",
            "there is no \(rate.by.rawValue) at event \(match.event.rawValue), so the rule would never fire",
            allowed: ["connection", "all"])
    }
}
