package import APNsRules

/// Finds the few rules of a fault set that a request can match, and tries those; each event loop makes its own, since
/// it caches which rules a topic, a scope or a key passes.
package struct FaultPrefilter {
    package let set: FaultSet
    /// Whether a rule asks for the device or its scope, which ``FaultFacts`` must then have.
    package private(set) var namesDevices = false
    private var indices: [FaultIndex] = FaultEvent.allCases.map { _ in FaultIndex() }
    private var patterns = FaultPatterns()

    package init(_ set: FaultSet = FaultSet()) {
        self.set = set
        for (position, rule) in set.rules.enumerated() {
            let conditions = rule.conditions
            patterns.append(conditions)
            guard rule.isEnabled else { continue }
            indices[FaultPrefilter.number(of: rule.match.event)].insert(position, conditions)
            namesDevices = namesDevices || conditions.contains { [.key(.device), .key(.scope)].contains($0.field) }
        }
    }

    package mutating func adopt(_ set: FaultSet) { self = FaultPrefilter(set) }
    package func contains(_ event: FaultEvent) -> Bool { !indices[FaultPrefilter.number(of: event)].isEmpty }

    /// Whether a push surely matches no rule; see ``FaultIndex/excludes(_:connection:)``.
    package mutating func excludes(_ push: borrowing Candidate, connection: UInt64) -> Bool {
        indices[FaultPrefilter.number(of: .request)].excludes(push, connection: connection)
    }

    /// The rules that match, in the order in which they are asked.
    package mutating func candidates(for facts: inout FaultFacts) -> [FaultRule] {
        var matching: [FaultRule] = []
        _ = first(for: &facts) { rule, _ in
            matching.append(rule)
            return nil
        }
        return matching
    }

    /// Asks the rules that match, in order, until one claims the request (``FaultCounters/claim(_:for:seed:)``, under
    /// the rule's lock); no payload is parsed for those after it.
    package mutating func first(
        for facts: inout FaultFacts, claim: (FaultRule, FaultFacts) -> FaultFiring?
    ) -> FaultFiring? {
        let number = FaultPrefilter.number(of: facts.event)
        guard !indices[number].isEmpty else { return nil }
        let positions = indices[number].positions(for: &facts)
        var findings = FaultPatterns.Findings()
        for place in positions.indices where matches(at: place, of: positions, for: &facts, &findings) {
            if let claim = claim(set.rules[positions[place]], facts) { return claim }
        }
        return nil
    }

    private func matches(
        at place: Int, of positions: [Int], for facts: inout FaultFacts, _ findings: inout FaultPatterns.Findings
    ) -> Bool {
        let conditions = set.rules[positions[place]].conditions
        let withPatterns = patterns.condition(ofRuleAt: positions[place])
        for (index, condition) in conditions.enumerated() {
            let known = index == withPatterns ? patterns.holds(at: place, of: positions, for: &facts, &findings) : nil
            guard known ?? condition.matcher.matches(anyOf: facts.values(of: condition.field)) else { return false }
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
