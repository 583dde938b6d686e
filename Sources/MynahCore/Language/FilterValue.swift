internal import APNsRules

extension FilterKey {
    /// The matcher for a value written as text, in a URL or a line.
    func matcher(_ text: String, at field: String) throws(InputError) -> Matcher {
        if self == .fault, text == "none" { return .exists(false) }
        // An empty scope means no scope, as in the filters of devices.
        if self == .scope, text.isEmpty { return .exists(false) }
        return try bounded(operand(text, at: field))
    }

    /// The matcher for a part of a value, written as text.
    func partMatcher(_ text: String, at field: String) throws(InputError) -> Matcher {
        guard kind == .text else {
            throw InputError(
                at: field,
                "\(rawValue)\(FilterName.partMark) looks for a part of a text, and \(rawValue) is \(expectedKind): "
                    + "expected \(rawValue) and the whole value")
        }
        try FilterName.check(part: text, at: field)
        return .contains(try part(text, at: field))
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
    func operand(_ text: String, at field: String) throws(InputError) -> JSONValue {
        switch kind {
        case .whole:
            guard let value = Int64(text) else {
                throw .mismatch(.string(text), at: field, expected: "a whole number", allowed: values ?? [])
            }
            if let values, !values.contains("\(value)") {
                throw .mismatch(.whole(value), at: field, expected: InputError.alternatives(values), allowed: values)
            }
            if let range = wholeRange, !range.contains(value) {
                let isBounded = range.upperBound < .max
                let expected = isBounded ? "\(range.lowerBound) to \(range.upperBound)" : "\(range.lowerBound) or more"
                throw .mismatch(.whole(value), at: field, expected: expected)
            }
            return .number(JSONNumber(value))
        case .truth:
            try Form.choice(["true", "false"]).check(.string(text), at: field)
            return .bool(text == "true")
        case .time:
            try Form.time.check(.string(text), at: field)
            return .whole(Instant(rfc3339: text)?.milliseconds)
        case .text:
            let text = self == .reason ? Reason(anySpelling: text)?.rawValue ?? text : text
            if let values { try Form.choice(values).check(.string(text), at: field) }
            let part = try part(text, at: field)
            try check(text, at: field)
            return .string(part)
        }
    }

    /// The numbers that a push can have; `nil` for any.
    private var wholeRange: ClosedRange<Int64>? {
        switch self {
        case .status: 200...599
        case .connection: 1...Int64.max
        default: nil
        }
    }

    /// Refuses a whole value that no push can have, so that a misspelt filter is never one that selects nothing, or
    /// negated everything.
    private func check(_ text: String, at field: String) throws(InputError) {
        switch self {
        case .scope: try ScopeName.check(text, at: field)
        case .device: try DeviceID.filterForm.check(.string(text), at: field)
        case .fault: try FaultRuleID.form.check(.string(text), at: field)
        case .token:
            // The lengths that a server takes are a setting; these are what any setting may allow.
            guard DeviceToken(text, byteCounts: DeviceToken.anyByteCounts) == nil else { return }
            throw InputError(
                at: field,
                "\(text) is not a token: expected at most \(DeviceToken.byteCountMax) pairs of hexadecimal digits; in JSON "
                    + "{\"prefix\": \"\(text)\"} matches tokens that begin with these")
        case .apnsId, .uniqueId:
            guard NotificationID(text) == nil else { return }
            throw .mismatch(.string(text), at: field, expected: "a UUID, like 27CFDC15-E305-27E0-E290-8FC98E115899")
        case .text where text.isEmpty:
            throw .mismatch(.string(text), at: field, expected: "a text: the empty one is in every payload")
        default: break
        }
    }

    func operand(_ value: JSONValue, at field: String) throws(InputError) -> JSONValue {
        switch (kind, value) {
        case (_, .null): return .null
        case (.whole, .number(let number)):
            guard let whole = number.integer else { throw .mismatch(value, at: field, expected: "a whole number") }
            return try operand("\(whole)", at: field)
        case (.truth, .bool): return value
        case (.text, .string(let text)), (.time, .string(let text)): return try operand(text, at: field)
        default: throw .mismatch(value, at: field, expected: expectedKind, allowed: values ?? [])
        }
    }

    /// A part of a text value, for `prefix` and `contains`, checked as far as a part can be.
    func part(_ text: String, at field: String) throws(InputError) -> String {
        if self == .token, !text.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) {
            throw .mismatch(.string(text), at: field, expected: "the hexadecimal digits of a token")
        }
        if let values, !values.contains(where: { $0.contains(text) }) {
            throw InputError(
                at: field, "\"\(text)\" is in no \(rawValue)", hint: ": expected a part of one", allowed: values)
        }
        return ignoresCase ? text.lowercased() : text
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
