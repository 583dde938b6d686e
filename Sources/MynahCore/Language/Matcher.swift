package import APNsRules

/// What a field must be (`Documents#Matchers`).
package indirect enum Matcher: Sendable, Hashable {
    /// Matches an equal value; objects are equal whatever the order of their members.
    case equal(JSONValue)
    case any([Matcher])
    case prefix(String)
    /// A string that contains this, or an array with this element.
    case contains(String)
    case regex(Pattern)
    case not(Matcher)
    case exists(Bool)
    /// A number, string or time not below, or not above, this.
    case atLeast(JSONValue)
    case atMost(JSONValue)
    /// A document with at least these members, and arrays with at least these elements.
    case includes(JSONValue)

    /// Whether one of a field's values satisfies this, or, with `not`, all do: a header may come several times, and a
    /// field that is not there has no values.
    func matches(anyOf values: [JSONValue]) -> Bool {
        if case .not(let matcher) = self { return !matcher.matches(anyOf: values) }
        return values.isEmpty ? matches(nil) : values.contains { matches($0) }
    }

    /// Whether an actual value satisfies this; `nil` and `null` both mean that it is absent.
    private func matches(_ actual: JSONValue?) -> Bool {
        let actual = actual == .null ? nil : actual
        switch self {
        case .not(let matcher): return !matcher.matches(actual)
        case .any(let matchers): return matchers.contains { $0.matches(actual) }
        case .exists(let isThere): return (actual != nil) == isThere
        case .equal(.null): return actual == nil
        default: break
        }
        guard let actual else { return false }
        return switch self {
        case .equal(let expected): actual.isEquivalent(to: expected)
        case .prefix(let expected): actual.string?.utf8.starts(with: expected.utf8) == true
        case .contains(let expected): actual.contains(expected)
        case .regex(let pattern): actual.string.map { pattern.matches($0) } == true
        case .atLeast(let bound): actual.compared(with: bound).map { $0 >= 0 } == true
        case .atMost(let bound): actual.compared(with: bound).map { $0 <= 0 } == true
        case .includes(let expected): actual.includes(expected)
        case .not, .any, .exists: false
        }
    }

    /// The size in memory of the regular expressions in it.
    var patternByteCount: Int { patterns.reduce(0) { $0 + $1.byteCount } }

    /// The matcher as JSON, as in a `match` object.
    package var json: JSONValue {
        switch self {
        case .equal(let value), .includes(let value): value
        case .any(let matchers): .array(matchers.map(\.json))
        case .prefix(let text): MatcherOperator.prefix.matcher(.string(text))
        case .contains(let text): MatcherOperator.contains.matcher(.string(text))
        case .regex(let pattern): MatcherOperator.regex.matcher(.string(pattern.text))
        case .not(let matcher): MatcherOperator.not.matcher(matcher.json)
        case .exists(let isThere): MatcherOperator.exists.matcher(.bool(isThere))
        case .atLeast(let value): MatcherOperator.gte.matcher(value)
        case .atMost(let value): MatcherOperator.lte.matcher(value)
        }
    }

    /// What a field must be, as part of a sentence that begins with the field.
    package var words: String {
        switch self {
        case .equal(let value), .includes(let value): value.words
        case .any(let matchers): matchers.map(\.words).joined(separator: " or ")
        case .prefix(let text): "begins with \(text)"
        case .contains(let text): "has \(text)"
        case .regex(let pattern): "matches \(pattern.text)"
        case .not(let matcher): "is not \(matcher.words)"
        case .exists(let isThere): isThere ? "is there" : "is missing"
        case .atLeast(let value): "≥ \(value.words)"
        case .atMost(let value): "≤ \(value.words)"
        }
    }
}

extension Matcher {
    /// A value as text in a URL or a line: a string, or a number or boolean with that text.
    init(text: String) {
        let value = try? JSONValue(parsing: text)
        self =
            switch value {
            case .number?, .bool?: .any([.equal(.string(text)), .equal(value ?? .null)])
            default: .equal(.string(text))
            }
    }

    /// Every value that a field is compared with for equality or order.
    var operands: [JSONValue] {
        switch self {
        case .equal(let value), .atLeast(let value), .atMost(let value): [value]
        case .any(let matchers): matchers.flatMap(\.operands)
        case .not(let matcher): matcher.operands
        case .prefix, .contains, .regex, .exists, .includes: []
        }
    }

    /// The innermost matchers, which contain no others.
    var leaves: [Matcher] {
        switch self {
        case .not(let matcher): matcher.leaves
        case .any(let matchers): matchers.flatMap(\.leaves)
        case .equal, .prefix, .contains, .regex, .exists, .atLeast, .atMost, .includes: [self]
        }
    }

    /// The matchers of which one must match; only this matcher if it is no list.
    var alternatives: [Matcher] { if case .any(let matchers) = self { matchers } else { [self] } }

    /// The regular expressions in the matcher, in order.
    var patterns: [Pattern] {
        switch self {
        case .regex(let pattern): [pattern]
        case .not(let matcher): matcher.patterns
        case .any(let matchers): matchers.flatMap(\.patterns)
        default: []
        }
    }

    /// Whether a field whose only value is this text satisfies the matcher; `outcomes` are the results of ``patterns``.
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
