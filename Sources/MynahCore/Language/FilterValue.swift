internal import APNsRules

extension FilterKey {
    /// The matcher for a value written as text, in a URL or a line.
    func matcher(_ text: String, at field: String) throws(InputError) -> Matcher {
        if self == .fault, text == FilterKey.noFault { return .exists(false) }
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
        return .contains(try part(text, at: field, isBeginning: false))
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
                throw mismatch(text, at: field, expected: "a whole number", allowed: values ?? [])
            }
            if let values, !values.contains("\(value)") {
                throw .mismatch(.whole(value), at: field, expected: InputError.alternatives(values), allowed: values)
            }
            if let range = facts.range, !range.contains(value) {
                let isBounded = range.upperBound < .max
                let expected = isBounded ? "\(range.lowerBound) to \(range.upperBound)" : "\(range.lowerBound) or more"
                throw .mismatch(.whole(value), at: field, expected: expected)
            }
            return .number(JSONNumber(value))
        case .truth:
            try Form.choice(["true", "false"]).check(.string(text), at: field)
            return .bool(text == "true")
        case .time:
            guard let time = Instant(rfc3339: text) else {
                // A plus in a URL is a space.
                let isOfURL = Instant(rfc3339: text.replacing(" ", with: "+")) != nil
                let hint = isOfURL ? "; in a URL, + is written %2B" : ""
                throw .mismatch(.string(text), at: field, expected: Form.time.expected + hint)
            }
            return .number(JSONNumber(time.milliseconds))
        case .text:
            let text = spelled(text)
            try check(text, at: field)
            return .string(ignoresCase ? text.lowercased() : text)
        }
    }

    /// A value of this key as it was kept, in the form in which pushes are compared with it.
    func kept(_ value: JSONValue) -> JSONValue {
        guard let text = value.string else { return value }
        return switch kind {
        case .time: .whole(Instant(rfc3339: text)?.milliseconds)
        case .text: .string(keptPart(spelled(text)))
        case .whole, .truth: value
        }
    }

    /// A part of a value as it was kept, in the form in which pushes are compared with it.
    func keptPart(_ text: String) -> String { ignoresCase ? text.lowercased() : text }

    private func spelled(_ text: String) -> String {
        self == .reason ? Reason(anySpelling: text)?.rawValue ?? text : text
    }

    /// Refuses a whole value that no push can have, so that a misspelt filter is never one that selects nothing, or
    /// negated everything.
    private func check(_ text: String, at field: String) throws(InputError) {
        if let values, !values.contains(text) { return try checkUnlisted(text, values, at: field) }
        switch self {
        case .scope: try check(text, ScopeName.form, at: field)
        case .device: try check(text, DeviceID.filterForm, at: field)
        case .fault: try check(text, FaultRuleID.form, at: field)
        case .token:
            // The lengths that a server takes are a setting; these are what any setting may allow.
            guard DeviceToken(text, byteCounts: DeviceToken.anyByteCounts) == nil else { return }
            guard FilterKey.isHexadecimal(text) else {
                throw mismatch(text, at: field, expected: "the hexadecimal digits of a token")
            }
            guard (1...2 * DeviceToken.byteCountMax).contains(text.count) else {
                throw .mismatch(
                    .string(text), at: field,
                    expected: "1 to \(DeviceToken.byteCountMax) pairs of hexadecimal digits, not \(text.count) digits")
            }
            throw InputError(
                at: field,
                "\(text) is not a token: expected pairs of hexadecimal digits, not an odd number; in JSON "
                    + "{\"prefix\": \"\(text)\"} matches tokens that begin with these")
        case .apnsId, .uniqueId:
            guard NotificationID(text) == nil else { return }
            if text.hasPrefix("{"), text.hasSuffix("}"), NotificationID(String(text.dropFirst().dropLast())) != nil {
                throw .mismatch(.string(text), at: field, expected: "a UUID without braces")
            }
            throw mismatch(text, at: field, expected: "a UUID, like \(example)")
        case .text where text.isEmpty:
            throw .mismatch(.string(text), at: field, expected: "a text: the empty one is in every payload")
        default: break
        }
        if let alphabet = facts.alphabet, !alphabet.isValue(text) {
            throw mismatch(text, at: field, expected: alphabet.expected(like: example))
        }
    }

    private func check(_ text: String, _ form: Form, at field: String) throws(InputError) {
        do throws(InputError) { try form.check(.string(text), at: field) } catch {
            throw Meaning.hint(text, of: self) == nil ? error : mismatch(text, at: field, expected: form.expected)
        }
    }

    /// Refuses a text that is not one of the listed values; for an open list, only a text that must be a mistake.
    private func checkUnlisted(_ text: String, _ values: [String], at field: String) throws(InputError) {
        if let hint = Meaning.hint(text, of: self), self != .reason || Meaning.isPatternOfReasons(text) {
            throw InputError(at: field, "\"\(text)\" is not valid", hint: ": \(hint)", allowed: values)
        }
        guard facts.isOpen else { throw .unlisted(text, at: field, among: values) }
        // As a whole value, the beginning of a known value or an empty text is a mistake, too.
        let begins = values.contains { $0.hasPrefix(text) }
        guard begins || isMisspelt(text) else { return }
        throw .unlisted(text, at: field, among: values)
    }

    /// A value that is not valid, with what it may be meant as; `hasParts` is as in ``Meaning``'s hint.
    func mismatch(
        _ text: String, at field: String, expected: String, allowed: [String] = [], hasParts: Bool = true
    ) -> InputError {
        let meant = Meaning.hint(text, of: self, hasParts: hasParts).map { "; \($0)" } ?? ""
        return .mismatch(.string(text), at: field, expected: expected + meant, allowed: allowed)
    }

    private static func isHexadecimal(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isASCIIHexDigit }
    }

    func operand(_ value: JSONValue, at field: String) throws(InputError) -> JSONValue {
        switch (kind, value) {
        case (_, .null): return .null
        case (.whole, .number(let number)):
            guard let whole = number.integer else { throw .mismatch(value, at: field, expected: "a whole number") }
            return try operand("\(whole)", at: field)
        case (.truth, .bool): return value
        case (.text, .string(let text)), (.time, .string(let text)): return try operand(text, at: field)
        case (.whole, .string(let text)):
            throw mismatch(text, at: field, expected: expectedKind, allowed: values ?? [])
        default: throw .mismatch(value, at: field, expected: expectedKind, allowed: values ?? [])
        }
    }

    /// A part of a text value, for `prefix` and `contains`, checked as far as a part can be.
    func part(_ text: String, at field: String, isBeginning: Bool) throws(InputError) -> String {
        if self == .token, !FilterKey.isHexadecimal(text) {
            throw .mismatch(.string(text), at: field, expected: "the hexadecimal digits of a token")
        }
        if let alphabet = facts.alphabet, !text.allSatisfy(alphabet.has) {
            throw .mismatch(
                .string(text), at: field,
                expected:
                    "a part of \(alphabet.noun) as it is written; patterns are regular expressions, which regex in "
                    + "JSON has")
        }
        if [.apnsId, .uniqueId].contains(self), !text.allSatisfy({ $0 == "-" || FilterKey.isHexadecimal(String($0)) }) {
            throw .mismatch(.string(text), at: field, expected: "a part of a UUID")
        }
        try checkPart(text, at: field, isBeginning: isBeginning)
        let part = ignoresCase ? text.lowercased() : text
        if let shape = TextShape(of: self), !(isBeginning ? shape.mayBegin(with: part) : shape.mayContain(part)) {
            let place = isBeginning ? "begins with" : "contains"
            throw InputError(
                at: field, "no \(rawValue) \(place) \(text), so it could never match",
                hint: ": expected a part of one like \(example)")
        }
        return part
    }

    /// Refuses a pattern that no value matches.
    func check(_ pattern: Pattern, at field: String) throws(InputError) {
        let mayMatch =
            if let values, !facts.isOpen {
                values.contains { pattern.matches($0) }
            } else {
                TextShape(of: self)?.mayMatch(pattern) ?? true
            }
        guard !mayMatch else { return }
        throw InputError(
            at: field,
            "no \(rawValue) matches \(PrintableText.shortened(pattern.text, to: 100)), so it could never match",
            hint: ": expected a pattern of one like \(example)", allowed: values ?? [])
    }

    /// The least length at which a part of a known value, in another case, is a mistake for certain; a shorter part may
    /// be of a value that a test made up.
    private static let certainPartMin = 6

    /// Refuses what is a part of no listed value; of an open list, only a misspelt one.
    private func checkPart(_ text: String, at field: String, isBeginning: Bool) throws(InputError) {
        guard let values, !values.contains(where: { isBeginning ? $0.hasPrefix(text) : $0.contains(text) }) else {
            return
        }
        guard facts.isOpen else {
            throw InputError(
                at: field, isBeginning ? "no \(rawValue) begins with \"\(text)\"" : "\"\(text)\" is in no \(rawValue)",
                hint: ": expected \(isBeginning ? "the beginning" : "a part") of one", allowed: values)
        }
        let meant = values.first { $0.lowercased().contains(text.lowercased()) && !$0.contains(text) }
        if let meant, text.count >= FilterKey.certainPartMin {
            throw InputError(
                at: field, "\"\(text)\" is in no \(rawValue)",
                hint: ": upper and lower case are different, as in \"\(meant)\"", allowed: values)
        }
        if isMisspelt(text) { throw .unlisted(text, at: field, among: values) }
    }

    /// Whether a text that is not one of the listed values is nearly one of them.
    private func isMisspelt(_ text: String) -> Bool {
        self == .reason ? Reason.misspelt(text) != nil : Spelling.nearest(to: text, among: values ?? []) != nil
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
