internal import APNsRules

extension Matcher {
    /// The regular expressions in it, in order.
    var patterns: [Pattern] {
        switch self {
        case .regex(let pattern): [pattern]
        case .not(let matcher): matcher.patterns
        case .any(let matchers): matchers.flatMap(\.patterns)
        default: []
        }
    }

    /// Whether a field whose only value is this text satisfies the matcher; `outcomes` are those of ``patterns``.
    func matches(_ text: JSONValue, outcomes: ArraySlice<Bool>) -> Bool {
        var rest = outcomes
        return matches(text, takingFrom: &rest)
    }

    private func matches(_ text: JSONValue, takingFrom outcomes: inout ArraySlice<Bool>) -> Bool {
        switch self {
        case .regex: return outcomes.removeFirst()
        case .not(let matcher): return !matcher.matches(text, takingFrom: &outcomes)
        case .any(let matchers):
            var matches = false
            for matcher in matchers where matcher.matches(text, takingFrom: &outcomes) { matches = true }
            return matches
        default: return matches(anyOf: [text])
        }
    }
}
