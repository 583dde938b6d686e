internal import APNsRules

/// Reads members of a payload, whose types nobody has checked: what is malformed is left out, with a warning.
struct PayloadReader {
    private let object: JSONValue
    // What the members are called in warnings: `aps` or `aps.alert`.
    private let name: String
    /// What was malformed, a sentence each.
    private(set) var warnings: [String] = []

    init(_ object: JSONValue, called name: String) {
        self.object = object
        self.name = name
    }

    mutating func warn(_ warning: String) { warnings.append(warning) }

    private mutating func warn(_ member: String, _ value: JSONValue, _ expected: String) {
        warnings.append("\(name).\(member) is \(value.kind); \(expected) was expected")
    }

    /// A member as it is.
    func value(_ member: String) -> JSONValue? { object[member] }

    /// A string.
    mutating func text(_ member: String) -> String? {
        guard let value = object[member] else { return nil }
        guard let text = value.string else {
            warn(member, value, "a string")
            return nil
        }
        return text
    }

    /// Whether the member is 1.
    ///
    /// A JSON `true` reaches an app as a number as well and counts (inferred).
    mutating func isOne(_ member: String) -> Bool {
        guard let value = object[member] else { return false }
        if let truth = value.bool {
            warn(member, value, "the number 1")
            return truth
        }
        guard case .number = value else {
            warn(member, value, "the number 1")
            return false
        }
        return value.integer == 1
    }

    /// A number within a range; one outside it is brought in.
    mutating func number(_ member: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = object[member] else { return nil }
        guard case .number(let number) = value, !number.double.isNaN else {
            warn(member, value, "a number")
            return nil
        }
        let clamped = min(max(number.double, range.lowerBound), range.upperBound)
        if clamped != number.double {
            warnings.append(
                "\(name).\(member) is \(number.text); a number from \(Int(range.lowerBound)) to "
                    + "\(Int(range.upperBound)) was expected, \(Int(clamped)) counts")
        }
        return clamped
    }

    /// The arguments of a localized text.
    ///
    /// They must be strings; a number or a truth value is printed as `NSNumber` prints it, all else as JSON (inferred).
    mutating func arguments(_ member: String) -> [String] {
        guard let value = object[member] else { return [] }
        guard let elements = value.array else {
            warn(member, value, "an array of strings")
            return []
        }
        return elements.enumerated().map { index, element in
            if let text = element.string { return text }
            warn("\(member)[\(index)]", element, "a string")
            switch element {
            case .bool(let truth): return truth ? "1" : "0"
            case .number(let number): return number.integer.map { String($0) } ?? number.text
            case .null: return "<null>"
            default: return element.encodedText
            }
        }
    }

    /// Names unknown here that are near to one that means something: probably misspelt.
    mutating func warnOfMisspelling(among known: [String]) {
        for member in object.object ?? [] where !known.contains(member.name) {
            guard let meant = Spelling.nearest(to: member.name, among: known) else { continue }
            warnings.append("\(name).\(member.name) means nothing; was \(meant) meant?")
        }
    }
}

/// The names that mean something in a payload (`ProviderAPI#Members-of-aps`).
enum PayloadNames {
    static let aps = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "stale-date",
        "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-channel", "input-push-token", "content-changed", "url-args", "ptt-push-type",
    ]
    static let alert = [
        "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "sound",
    ]
    static let sound = ["critical", "name", "volume"]
}
