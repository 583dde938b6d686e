internal import APNsRules

extension FilterKey {
    /// The matcher for a value written as text, in a URL or a line.
    ///
    /// - Throws: ``QueryError`` of `field`, when the key has no such values.
    func matcher(_ text: String, at field: String) throws(QueryError) -> Matcher {
        if self == .fault, text == "none" { return .exists(false) }
        // As in the filters of devices: an empty scope is none.
        if self == .scope, text.isEmpty { return .exists(false) }
        return try bounded(operand(text, at: field))
    }

    /// `since` and `until` are bounds, `text` is a part; all other keys are equal to their value.
    func bounded(_ operand: JSONValue) -> Matcher {
        switch (self, operand) {
        case (.since, _): .atLeast(operand)
        case (.until, _): .atMost(operand)
        case (.text, .string(let part)): .contains(part)
        default: .equal(operand)
        }
    }

    /// A value of this key, checked, in the form in which pushes are compared with it.
    func operand(_ text: String, at field: String) throws(QueryError) -> JSONValue {
        switch kind {
        case .whole:
            guard let value = Int64(text) else {
                throw QueryError(field, "\(text) is no whole number", allowed: values ?? [])
            }
            try checkListed(text: "\(value)", at: field)
            return .number(JSONNumber(value))
        case .truth:
            guard text == "true" || text == "false" else {
                throw QueryError(field, "\(text) is neither true nor false", allowed: ["true", "false"])
            }
            return .bool(text == "true")
        case .time:
            guard let instant = Instant(rfc3339: text) else {
                throw QueryError(field, "\(text) is no time; RFC 3339 was expected, as in 2026-11-21T09:30:00Z")
            }
            return .number(JSONNumber(instant.milliseconds))
        case .text:
            let text =
                self == .reason && text == Reason.badEnvironmentKeyInToken.documentedText
                ? Reason.badEnvironmentKeyInToken.rawValue : text
            try checkListed(text: text, at: field)
            if self == .scope { try ScopeName.check(text, at: field) }
            return .string(try part(text, at: field))
        }
    }

    /// A value of this key as JSON, checked.
    func operand(_ value: JSONValue, at field: String) throws(QueryError) -> JSONValue {
        switch (kind, value) {
        case (_, .null): return .null
        case (.whole, .number(let number)):
            guard let whole = number.integer else { throw QueryError(field, "\(number.text) is no whole number") }
            return try operand("\(whole)", at: field)
        case (.truth, .bool): return value
        case (.text, .string(let text)), (.time, .string(let text)): return try operand(text, at: field)
        default:
            throw QueryError(
                field, "\(value.kind) was given; \(expectedKind) was expected", allowed: values ?? [])
        }
    }

    /// Part of a text value, for `prefix` and `contains`: checked as far as a part can be.
    func part(_ text: String, at field: String) throws(QueryError) -> String {
        if self == .token, !text.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) {
            throw QueryError(field, "\(text) is no token; hexadecimal digits were expected")
        }
        return ignoresCase ? text.lowercased() : text
    }

    private func checkListed(text: String, at field: String) throws(QueryError) {
        guard let values, !values.contains(text) else { return }
        throw .unknown(rawValue, text, at: field, among: values)
    }

    private var expectedKind: String {
        switch kind {
        case .whole: "a number"
        case .truth: "a boolean"
        case .time: "a string with a time"
        case .text: "a string"
        }
    }
}
