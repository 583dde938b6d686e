internal import APNsRules

/// Checks the regular expressions of several fault rules side by side: of each rule the last condition that has any,
/// which is the most costly.
struct FaultPatterns {
    private struct Lead {
        let condition: Int
        /// An index of ``fields``.
        let field: Int
        let matcher: Matcher
        let patterns: [Pattern]
    }

    struct Findings {
        fileprivate var fields: [Field?] = []

        fileprivate struct Field {
            /// `nil` if the field has no value, several, or no text.
            let text: (value: JSONValue, characters: PatternText)?
            /// The rules for which ``holds`` is known.
            var places = 0..<0
            var holds: [Bool] = []
        }
    }

    /// How many patterns are read at a time; if one of the first rules acts, reading the others was wasted.
    private static let aheadCount = 8

    // How the rules' expressions begin, by the rule's position among all.
    private var leads: [Lead?] = []
    private var fields: [FilterField] = []

    /// Adds the next rule.
    mutating func append(_ conditions: [Filter.Condition]) {
        guard let index = conditions.lastIndex(where: { $0.matcher.patternByteCount > 0 }) else {
            return leads.append(nil)
        }
        let condition = conditions[index]
        let field = fields.firstIndex(of: condition.field) ?? fields.count
        if field == fields.count { fields.append(condition.field) }
        leads.append(
            Lead(condition: index, field: field, matcher: condition.matcher, patterns: condition.matcher.patterns))
    }

    /// The condition of a rule for ``holds(at:of:for:_:)``.
    func condition(ofRuleAt position: Int) -> Int? { leads[position]?.condition }

    /// Whether the condition of the rule at `positions[place]` holds for a request; `nil` if it must be checked alone.
    func holds(at place: Int, of positions: [Int], for facts: inout FaultFacts, _ findings: inout Findings) -> Bool? {
        guard let lead = leads[positions[place]] else { return nil }
        if findings.fields.isEmpty { findings.fields = Array(repeating: nil, count: fields.count) }
        if findings.fields[lead.field] == nil {
            let values = facts.values(of: fields[lead.field])
            var text: (JSONValue, PatternText)?
            if values.count == 1, let string = values[0].string { text = (values[0], PatternText(string)) }
            findings.fields[lead.field] = Findings.Field(text: text)
        }
        guard var field = findings.fields[lead.field], let text = field.text else { return nil }
        if !field.places.contains(place) {
            readAhead(from: place, in: positions, of: lead.field, with: text, into: &field)
            findings.fields[lead.field] = field
        }
        return field.holds[place - field.places.lowerBound]
    }

    private func readAhead(
        from first: Int, in positions: [Int], of number: Int, with text: (value: JSONValue, characters: PatternText),
        into field: inout Findings.Field
    ) {
        var patterns: [Pattern] = []
        var end = first
        while end < positions.count, patterns.count < FaultPatterns.aheadCount {
            if let lead = leads[positions[end]], lead.field == number { patterns += lead.patterns }
            end += 1
        }
        let outcomes = text.characters.outcomes(of: patterns)
        var used = 0
        field.places = first..<end
        field.holds = field.places.map { place in
            guard let lead = leads[positions[place]], lead.field == number else { return false }
            let own = outcomes[used..<(used + lead.patterns.count)]
            used += lead.patterns.count
            return lead.matcher.matches(text.value, outcomes: own)
        }
    }
}
