package import APNsRules

/// The fault rules of a server, in the order in which they are tried; immutable once published: a change is made to a
/// copy, which replaces the set unless the change fails.
package struct FaultSet: Sendable, Equatable {
    /// The most rules; a hundred times what is fast when none of them has an exact key.
    private static let rulesMax = 100_000

    /// The rules, including disabled ones; a higher `rulePriority` first, then the newest.
    package private(set) var rules: [FaultRule] = []
    // When each was added; the newest has the highest number.
    private var ages: [String: Int] = [:]
    private var addedCount = 0
    private var generatedCount = 0
    // Rules that were added without an id, by scope, since all rules of the scope were removed.
    private var unnamedCounts: [String?: Int] = [:]
    package init() {}
    package func contains(_ event: FaultEvent) -> Bool { rules.contains { $0.isEnabled && $0.match.event == event } }
    /// The rule with an id, in O(n).
    package subscript(id: String) -> FaultRule? { rules.first { $0.id == id } }
    /// The number of the rule's addition, which distinguishes it from a rule that replaced it.
    package func age(of id: String) -> Int? { ages[id] }

    /// Adds rules, all or none; the last of them is the newest.
    ///
    /// Rules without an id get `f-1`, `f-2`…, which are never given twice. Their random choices depend on their place
    /// among the rules without an id of their scope, which begins anew when all rules of the scope are removed.
    /// `ids` are the ids that the rules had before; `pointers` are their places in the request's body, for errors.
    package mutating func add(
        _ drafts: [FaultDraft], ids: [String]? = nil, at now: Instant, seed: UInt64? = nil, pointers: [String]? = nil
    ) throws(InputError) -> [FaultRule] {
        var changed = self
        var made: [FaultRule] = []
        let given = Set(drafts.compactMap(\.id))
        var budget = try patternBudget()
        for (index, draft) in drafts.enumerated() {
            let pointer = pointers?[index] ?? (drafts.count == 1 ? "" : "/\(index)")
            if let id = draft.id, changed.ages[id] != nil {
                throw InputError(
                    .conflict, at: pointer + "/id",
                    "rule \(id) already exists: leave the id out, or replace that rule")
            }
            guard rules.count + made.count < FaultSet.rulesMax else {
                throw InputError(.conflict, at: pointer, "a server holds at most \(FaultSet.rulesMax) rules")
            }
            try budget.spend(draft.rule.patternByteCount, at: pointer + "/match")
            let rule = draft.made(
                id: draft.id ?? ids?[index] ?? changed.generateID(besides: given), at: now, seed: seed,
                stream: draft.id == nil ? changed.unnamedStream(of: draft.rule.scope) : nil)
            changed.addedCount += 1
            changed.ages[rule.id] = changed.addedCount
            made.append(rule)
        }
        changed.rules += made
        changed.sort()
        self = changed
        return made
    }

    /// Adds a rule, or replaces the rule with its id; the rule then is the newest.
    package mutating func put(
        _ draft: FaultDraft, id: String, at now: Instant
    ) throws(InputError) -> (rule: FaultRule, isNew: Bool) {
        if let given = draft.id, given != id {
            throw InputError(at: "/id", "the rule is called \(given) in the body and \(id) in the path")
        }
        var changed = self
        let isNew = changed.remove(id) == nil
        let rule = try changed.add([FaultDraft(id: id, rule: draft.rule)], at: now)[0]
        self = changed
        return (rule, isNew)
    }

    /// Replaces the members that `json` names, and of `match` the filters; `nil` if there is no rule with this id.
    ///
    /// A filter of `null` is removed; `action` replaces `actions` and the reverse. Age and counters stay.
    package mutating func patch(
        _ id: String, with json: JSONValue, prepared: (old: FaultRule, draft: FaultDraft)? = nil
    ) throws(InputError) -> FaultRule? {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return nil }
        let old = rules[index]
        let draft =
            if let prepared, prepared.old == old { prepared.draft } else { try FaultSet.draft(of: old, with: json) }
        var budget = try patternBudget(besides: id)
        try budget.spend(draft.rule.patternByteCount, at: "/match")
        let rule = draft.made(id: id, at: old.createdAt, seed: old.seed, stream: old.stream)
        rules[index] = rule
        sort()
        return rule
    }

    @discardableResult
    package mutating func remove(_ id: String) -> FaultRule? {
        ages[id] = nil
        return rules.firstIndex { $0.id == id }.map { rules.remove(at: $0) }
    }

    /// Removes all rules, or the rules of a scope, and returns their ids.
    package mutating func removeAll(ofScope scope: String? = nil) -> [String] {
        if let scope { unnamedCounts[scope] = nil } else { unnamedCounts = [:] }
        let gone = rules.filter { scope == nil || $0.scope == scope }.map(\.id)
        for id in gone { ages[id] = nil }
        rules.removeAll { ages[$0.id] == nil }
        return gone
    }

    /// The memory that the regular expressions of all rules but one leave for others.
    private func patternBudget(besides id: String? = nil) throws(InputError) -> PatternBudget {
        var budget = PatternBudget(PatternBudget.rulesBytesMax, error: .conflict)
        try budget.spend(rules.reduce(0) { $0 + ($1.id == id ? 0 : $1.patternByteCount) }, at: "")
        return budget
    }

    private mutating func generateID(besides given: Set<String>) -> String {
        var id: String
        repeat {
            generatedCount += 1
            id = "f-\(generatedCount)"
        } while ages[id] != nil || given.contains(id)
        return id
    }

    private mutating func unnamedStream(of scope: String?) -> UInt64 {
        unnamedCounts[scope, default: 0] += 1
        // No id has a space.
        return FaultRule.stream(of: "\(scope ?? "") \(unnamedCounts[scope, default: 0])")
    }

    private mutating func sort() {
        let ages = ages
        rules.sort { ($0.rulePriority, ages[$0.id] ?? 0) > ($1.rulePriority, ages[$1.id] ?? 0) }
    }

    /// Reads the rule that ``patch(_:with:prepared:)`` makes, which may compile regular expressions.
    ///
    /// - Parameter isKept: Whether the change was accepted before.
    package static func draft(
        of old: FaultRule, with json: JSONValue, isKept: Bool = false
    ) throws(InputError) -> FaultDraft {
        let document = try merged(old, with: json)
        let draft = try isKept ? FaultDraft(kept: document) : FaultDraft(json: document)
        guard draft.id == old.id else { throw InputError(at: "/id", "the id of a rule can't be changed") }
        return draft
    }

    private static func merged(_ old: FaultRule, with patch: JSONValue) throws(InputError) -> JSONValue {
        guard let changes = patch.object else {
            throw .mismatch(patch, at: "", expected: "an object", allowed: FaultDraft.schema.names)
        }
        var members = old.json(FaultCounters()).object ?? []
        for change in changes {
            switch (change.name, change.value) {
            case ("match", .object(let filters)):
                var match = old.match.json.object ?? []
                for filter in filters { match.set(filter.name, filter.value) }
                members.set("match", .object(match.filter { $0.value != .null }))
            case ("action", let value) where value != .null && patch["actions"] == nil:
                members.set("actions", .null)
                if patch["then"] == nil { members.set("then", .null) }
                members.set("action", value)
            case ("actions", let value) where value != .null && patch["action"] == nil:
                members.set("action", .null)
                members.set("actions", value)
            case (let name, let value): members.set(name, value)
            }
        }
        return .object(members)
    }
}

extension FaultSet: ByteRecord {
    package static let members = CheckedMembers(FaultSet.init(addedCount:generatedCount:unnamedCounts:agedRules:)) {
        set in
        (
            set.addedCount, set.generatedCount, OptionallyKeyed(set.unnamedCounts),
            set.rules.map { Row($0, set.ages[$0.id] ?? 0) }
        )
    }

    private init(
        addedCount: Int, generatedCount: Int, unnamedCounts: OptionallyKeyed<Int>, agedRules: [Row<FaultRule, Int>]
    ) throws(CodingProblem) {
        self.addedCount = addedCount
        self.generatedCount = generatedCount
        self.unnamedCounts = unnamedCounts.values
        guard agedRules.count <= FaultSet.rulesMax else {
            throw CodingProblem("\(agedRules.count) rules are too many")
        }
        var budget = PatternBudget(PatternBudget.rulesBytesMax)
        for row in agedRules {
            let (rule, age) = row.values
            guard ages.updateValue(age, forKey: rule.id) == nil, (1...max(1, addedCount)).contains(age) else {
                throw CodingProblem("rule \(rule.id) is there twice, or its age is wrong")
            }
            do throws(InputError) {
                try budget.spend(rule.patternByteCount, at: "")
            } catch {
                throw CodingProblem("the regular expressions of the rules are too large")
            }
            rules.append(rule)
        }
        sort()
    }
}
