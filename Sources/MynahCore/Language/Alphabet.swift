internal import APNsRules

/// The characters that the values of a filter's key consist of, so that a pattern or a list which was written in place of
/// a value is refused: it is compared as a whole, and would match nothing.
package enum Alphabet {
    /// Bundle ids with and without a suffix and origins of web apps; also what providers send in their place by mistake,
    /// such as an underscore, which the journal of refused pushes has.
    case topics
    /// The characters of channel ids: base64 in both of its forms.
    case channels
    /// Teams and key ids, of ``Limits/identifierLength`` characters each.
    case identifiers
    /// Names, whose form checks them as a whole.
    case names(Form)

    /// What a message expects, with an example.
    func expected(like example: String) -> String { "\(noun), like \(example)" }

    /// What a value is, for messages.
    var noun: String {
        switch self {
        case .topics: "a topic"
        case .channels: "the ID of a channel"
        case .identifiers: "\(Limits.identifierLength) letters or digits"
        case .names(let form): form.name?.noun ?? form.expected
        }
    }

    private var punctuation: String {
        switch self {
        case .topics: ".-_:/"
        case .channels: "+/=-_"
        case .identifiers: ""
        case .names(let form): form.name?.punctuation ?? ""
        }
    }

    func has(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || punctuation.contains(character)
    }

    /// Whether a text can be a whole value, as far as its characters say it.
    func isValue(_ text: String) -> Bool {
        guard text.allSatisfy(has) else { return false }
        switch self {
        case .topics: return !text.hasPrefix("/") && !text.hasPrefix("-") && Alphabet.isOriginOrNone(text)
        case .channels: return !Alphabet.isBetweenSlashes(text) || ChannelID(text) != nil
        case .identifiers: return text.utf8.count == Limits.identifierLength
        case .names: return true
        }
    }

    /// Refuses what can't be a whole value, in a filter that has no parts of values.
    package func check(_ text: String, of key: FilterKey, at field: String) throws(InputError) {
        guard !isValue(text) else { return }
        throw key.mismatch(text, at: field, expected: expected(like: key.example), hasParts: false)
    }

    /// Whether a text that begins as an address is the origin of a web app, which has no path.
    private static func isOriginOrNone(_ text: String) -> Bool {
        guard let scheme = text.firstRange(of: "://") else { return true }
        return !text[scheme.upperBound...].contains("/")
    }

    private static func isBetweenSlashes(_ text: String) -> Bool {
        text.count > 1 && text.hasPrefix("/") && text.hasSuffix("/")
    }
}

/// What a user may have meant by a value that the key doesn't have.
enum Meaning {
    private static let separators: Set<Character> = [",", ";", "|", " "]
    private static let wildcards: Set<Character> = [
        "*", "?", "^", "$", "\\", "[", "]", "(", ")", "{", "}", "+", "%", "~",
    ]

    /// Whether a reason, of which a fault rule may answer any, is written as a pattern or as a list with one of APNs'.
    static func isPatternOfReasons(_ text: String) -> Bool {
        isDelimited(text) || text.contains(where: { "*^|".contains($0) })
            || !text.isEmpty && text.allSatisfy { wildcards.contains($0) || $0 == "." }
            || list(text, of: .reason)?.contains { Reason(anySpelling: $0) != nil } == true
    }

    /// The end of a message that names what does what a value looks like; `nil` if it looks like none of that.
    /// - Parameters:
    ///   - isHeader: Whether it is the value of a header in JSON.
    ///   - hasParts: Whether the filter can look for a part; otherwise it is one of a list in a URL.
    static func hint(
        _ text: String, of key: FilterKey, isHeader: Bool = false, hasParts: Bool = true
    ) -> String? {
        if let values = list(text, of: key) {
            let shown = values.prefix(2).map { "\(key.rawValue):\($0)" }.joined(separator: " ")
            guard hasParts else {
                let parameters = values.prefix(2).map { "\(key.rawValue)=\($0)" }.joined(separator: "&")
                return "several values are given one by one, as in \(parameters)"
            }
            return
                "several values are \(isHeader ? "" : "given one by one, as in \(shown) on a line, and in ")an array in JSON"
        }
        guard key.kind == .text else { return rangeHint(text, of: key) }
        guard let part = part(text, of: key) else { return nil }
        guard hasParts, !part.isEmpty else { return "a value is compared as a whole, without wildcards" }
        guard !isHeader else { return "prefix, contains and regex match a part" }
        let mark = FilterName.partMark
        return
            "a value is compared as a whole, and \(key.rawValue)\(mark):\(part) on a line, \(key.rawValue)\(mark)=\(part) "
            + "in a URL, and prefix, contains and regex in JSON match a part"
    }

    /// The values in a list; `nil` if the text is not a list.
    private static func list(_ text: String, of key: FilterKey) -> [String]? {
        let bare = text.drop { "([{".contains($0) }
        let parts = bare.split(whereSeparator: { separators.contains($0) || ")]}".contains($0) })
        let name = "\(key.rawValue):"
        let values = parts.map { String($0.hasPrefix(name) ? $0.dropFirst(name.count) : $0) }
        return values.count > 1 && values.allSatisfy { $0.contains(where: { $0.isLetter || $0.isNumber }) }
            ? values : nil
    }

    private static func isDelimited(_ text: String) -> Bool {
        text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
    }

    /// The longest part of a pattern without its punctuation; `nil` if the text looks like no pattern.
    private static func part(_ text: String, of key: FilterKey) -> String? {
        guard isDelimited(text) || text.contains(where: wildcards.contains) else { return nil }
        let parts = text.split { wildcards.contains($0) || $0 == "/" || $0 == "." && key != .topic }
        return String(parts.max { $0.count < $1.count } ?? "")
    }

    /// A hint for a range in the form of another tool, such as `4xx`, `400-499`, `>=400` and `40*`.
    private static func rangeHint(_ text: String, of key: FilterKey) -> String? {
        guard key.kind == .whole, text.contains(where: \.isNumber),
            text.contains(where: { "-.<>=*?xX+~".contains($0) })
        else { return nil }
        let operators = "{\"\(key.rawValue)\": {\"gte\": \(key.example)}}"
        return "a range is a condition in JSON (Documents), as in \(operators)"
    }
}
