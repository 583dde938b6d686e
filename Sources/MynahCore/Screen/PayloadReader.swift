internal import APNsRules

/// Reads the members of an unchecked payload; a malformed one is left out, with a warning.
struct PayloadReader {
    private let object: JSONValue
    // What warnings call the object: `aps` or `aps.alert`.
    let name: String
    private(set) var warnings: [String] = []

    init(_ object: JSONValue, called name: String) {
        self.object = object
        self.name = name
    }

    /// A member's value; `null` stands for no value where Apple allows it (archived).
    subscript(member: String) -> JSONValue? {
        let value = object[member]
        return value == .null && ["title-loc-key", "title-loc-args", "action-loc-key"].contains(member) ? nil : value
    }

    mutating func warn(_ warning: String) { warnings.append(warning) }
    mutating func warn(_ warnings: [String]) { self.warnings += warnings }

    private mutating func warn(of value: JSONValue, at member: String, expected: String) {
        warn("\(name).\(member) is \(value.kind): expected \(expected)")
    }

    mutating func text(_ member: String) -> String? {
        guard let value = self[member] else { return nil }
        if value.string == nil { warn(of: value, at: member, expected: "a string") }
        return value.string
    }

    /// Whether the member is 1; a JSON `true` counts, because an app gets it as a number, too (inferred).
    mutating func isOne(_ member: String) -> Bool {
        guard let value = object[member] else { return false }
        if case .number = value { return value.integer == 1 }
        warn(of: value, at: member, expected: "the number 1")
        return value.bool == true
    }

    /// A whole number from 0 that has 64 bits.
    mutating func count(_ member: String) -> Int64? {
        guard let value = object[member] else { return nil }
        guard case .number(let number) = value else {
            warn(of: value, at: member, expected: "a number")
            return nil
        }
        if let count = number.integer, count >= 0 { return count }
        let expected = number.double >= Double(Int64.max) ? "at most \(Int64.max)" : "a whole number from 0"
        warn("\(name).\(member) is \(number.text): expected \(expected)")
        return nil
    }

    /// Any finite number.
    mutating func number(_ member: String) -> Double? {
        guard let value = object[member] else { return nil }
        guard case .number(let number) = value else {
            warn(of: value, at: member, expected: "a number")
            return nil
        }
        guard number.double.isFinite else {
            warn("\(name).\(member) is \(PrintableText.shortened(number.text, to: 40)): expected a finite number")
            return nil
        }
        return number.double
    }

    /// A number; one outside the range counts as its nearest end.
    mutating func number(_ member: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = object[member] else { return nil }
        guard case .number(let number) = value, !number.double.isNaN else {
            warn(of: value, at: member, expected: "a number")
            return nil
        }
        let clamped = min(max(number.double, range.lowerBound), range.upperBound)
        if clamped != number.double {
            warn(
                "\(name).\(member) is \(number.text): expected a number from \(Int(range.lowerBound)) to "
                    + "\(Int(range.upperBound)); \(Int(clamped)) is used")
        }
        return clamped
    }

    /// A text of an alert, from the app's strings if the payload has a key, which overrides the literal (inferred).
    mutating func text(
        _ literal: String, orLocalized prefix: String, _ strings: Localization?, languages: [String]
    ) -> String? {
        let text = text(literal)
        let arguments = arguments(prefix + "-args")
        guard let key = self.text(prefix + "-key") else {
            if self[prefix + "-args"] != nil, self[prefix + "-key"] == nil {
                warn("aps.alert.\(prefix)-args has no \(prefix)-key to go with")
            }
            return text
        }
        // Without the strings, the arguments can't be wrong.
        guard let strings else { return key }
        let found = strings.string(for: key, languages: languages)
        if found == nil {
            warn("the app has no string \(key) for \(languages.joined(separator: ", ")); the key itself is shown")
        }
        let format = LocalizedFormat(found ?? key, arguments: arguments, name: "the string \(key)")
        warn(format.warnings)
        return format.text
    }

    // A number or boolean is printed as `NSNumber` prints it, anything else but a string as JSON (inferred).
    private mutating func arguments(_ member: String) -> [String] {
        guard let value = self[member] else { return [] }
        guard let elements = value.array else {
            warn(of: value, at: member, expected: "an array of strings")
            return []
        }
        return elements.enumerated().map { index, element in
            if element.string == nil { warn(of: element, at: "\(member)[\(index)]", expected: "a string") }
            return switch element {
            case .string(let text): text
            case .bool(let truth): truth ? "1" : "0"
            case .number(let number): number.integer.map { String($0) } ?? number.text
            case .null: "<null>"
            default: element.encodedText
            }
        }
    }

    /// Warns about unknown names that are probably misspelt.
    mutating func warnOfMisspelling(among known: [String]) {
        for member in object.object ?? [] where !known.contains(member.name) {
            guard let meant = Spelling.nearest(to: member.name, among: known) else { continue }
            warn("\(name).\(member.name) is unknown: did you mean \(meant)?")
        }
    }
}
