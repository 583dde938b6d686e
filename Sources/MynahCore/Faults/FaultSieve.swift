internal import APNsRules

/// A fault set made ready for one event loop: finds the few rules that a request can meet, and puts it to them.
///
/// Holds compiled patterns, which may not cross threads, and what it has learnt of topics; so each loop makes its
/// own from the snapshot that all share. Rules that name a token, a device, a topic or the like exactly are found by
/// it, and cost the other requests nothing.
package struct FaultSieve {
    /// The rules.
    package private(set) var set = FaultSet()
    /// Whether a rule asks for the device or its scope, which ``FaultFacts`` must then be told.
    package private(set) var namesDevices = false
    private var indices: [FaultIndex] = FaultEvent.allCases.map { _ in FaultIndex() }
    private let patterns = FaultPatterns()

    /// A sieve of no rules.
    package init() {}

    /// A sieve of these rules.
    package init(_ set: FaultSet) {
        adopt(set)
    }

    /// Takes another snapshot, and keeps what was compiled for rules that are in both.
    package mutating func adopt(_ new: FaultSet) {
        patterns.keep(new.rules)
        set = new
        namesDevices = false
        indices = FaultEvent.allCases.map { _ in FaultIndex() }
        for (position, rule) in new.rules.enumerated() where rule.isEnabled {
            let conditions = rule.conditions
            indices[FaultSieve.number(of: rule.match.event)].insert(position, conditions)
            if conditions.contains(where: { $0.field == .key(.device) || $0.field == .key(.scope) }) {
                namesDevices = true
            }
        }
    }

    /// Whether a rule is asked at an event.
    package func contains(_ event: FaultEvent) -> Bool { !indices[FaultSieve.number(of: event)].isEmpty }

    /// The rules that match, in the order in which they are asked.
    package mutating func candidates(for facts: inout FaultFacts) -> [FaultRule] {
        var matching: [FaultRule] = []
        _ = first(for: &facts) { rule, _ in
            matching.append(rule)
            return Bool?.none
        }
        return matching
    }

    /// Asks the rules that match, in order, until one claims the request; what that one says.
    ///
    /// A rule further down is not even put to the request, so that no payload is parsed in vain.
    /// - Parameter claim: What ``FaultCounters/claim(_:for:seed:)`` says, under the rule's lock.
    package mutating func first<Claim>(
        for facts: inout FaultFacts, claim: (FaultRule, FaultFacts) -> Claim?
    ) -> Claim? {
        let number = FaultSieve.number(of: facts.event)
        guard !indices[number].isEmpty else { return nil }
        let (rules, patterns) = (set.rules, patterns)
        let positions = indices[number].positions(for: &facts) { position, matcher, values in
            Sieve.matches(matcher, values, patterns.table(of: rules[position]))
        }
        for position in positions {
            let rule = rules[position]
            guard matches(rule, &facts), let claim = claim(rule, facts) else { continue }
            return claim
        }
        return nil
    }

    private func matches(_ rule: FaultRule, _ facts: inout FaultFacts) -> Bool {
        let table = patterns.table(of: rule)
        for condition in rule.conditions {
            let values = facts.values(of: condition.field)
            guard Sieve.matches(condition.matcher, values, table) else { return false }
        }
        return true
    }

    private static func number(of event: FaultEvent) -> Int {
        switch event {
        case .accept: 0
        case .handshake: 1
        case .request: 2
        }
    }
}

/// The compiled patterns of rules, each made when its rule is asked for the first time; of one loop.
private final class FaultPatterns {
    private var tables: [String: (match: FaultMatch, table: PatternTable)] = [:]
    private let none = PatternTable([])

    /// Forgets what is not of these rules.
    func keep(_ rules: [FaultRule]) {
        guard !tables.isEmpty else { return }
        let old = tables
        tables = [:]
        for rule in rules {
            if let known = old[rule.id], known.match == rule.match { tables[rule.id] = known }
        }
    }

    func table(of rule: FaultRule) -> PatternTable {
        guard rule.hasPatterns else { return none }
        if let known = tables[rule.id] { return known.table }
        let table = PatternTable(rule.match.filter.conditions.flatMap(\.matcher.patterns))
        tables[rule.id] = (rule.match, table)
        return table
    }
}
