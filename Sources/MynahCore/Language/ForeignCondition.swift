/// A word of a line that is a condition in another form of the filter language, as in `payload./aps/category=NEWS`, in
/// another language, as in `status>=500`, `apns-id=x` and `!topic:a`, or without its colon, as in `topic.com`.
struct ForeignCondition {
    /// What to write instead.
    let expected: String

    private static let comparisons: Set<Character> = ["=", "<", ">", "!"]

    /// `nil` if the text is an ordinary word; `isNegated` is whether a minus sign stands before it.
    init?(_ text: String, isNegated: Bool) {
        let isExclaimed = text.hasPrefix("!")
        let body = text.dropFirst(isExclaimed ? 1 : 0)
        let name = body.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        let rest = body[name.endIndex...]
        let isNegated = isNegated != isExclaimed
        if let document = FilterDocument.allCases.first(where: { ForeignCondition.isName(name, of: $0.rawValue) }) {
            self.init(document: document, rest, isNegated: isNegated, isExclaimed: isExclaimed)
        } else if let key = ForeignCondition.key(name) {
            self.init(key, rest, isNegated: isNegated, isExclaimed: isExclaimed)
        } else if let (key, end) = ForeignCondition.keyBeforeHyphen(name) {
            self.init(key, body[end...], isNegated: isNegated, isExclaimed: isExclaimed)
        } else {
            return nil
        }
    }

    /// A condition on a key; `rest` is the text after the key's name.
    private init?(_ key: FilterKey, _ rest: Substring, isNegated: Bool, isExclaimed: Bool) {
        let part = rest.first == FilterName.partMark ? String(FilterName.partMark) : ""
        let (sign, value) = ForeignCondition.split(rest.dropFirst(part.count))
        let isCompared = sign.contains { "=<>".contains($0) } || isExclaimed && sign == ":"
        guard isCompared else {
            // A condition without its colon would be read as a word that is searched for; its exclusion would match
            // everything, and the word itself nothing.
            let isExcluded = isNegated && !isExclaimed
            guard !part.isEmpty || isExcluded || !ForeignCondition.endsSentence(rest) else { return nil }
            let text = part.isEmpty ? String(rest.drop { !$0.isLetter && !$0.isNumber }) : value
            let form = ForeignCondition.form(key, part, text, isNegated: isNegated)
            // With a colon, it is the key that is written otherwise.
            expected = "expected \(rest.hasPrefix(":") ? key.rawValue : "a colon"), as in \(form)"
            return
        }
        if key.kind == .whole, let bound = ForeignCondition.bound(sign) {
            let number = value.isEmpty ? key.example : value
            expected = ForeignCondition.inJSON(bound, "{\"\(key.rawValue)\": {\"\(bound)\": \(number)}}")
            return
        }
        let form = ForeignCondition.form(key, part, value, isNegated: isNegated != ForeignCondition.isNegation(sign))
        expected = "expected \(sign == ":" ? "a minus sign" : "a colon"), as in \(form)"
    }

    /// A condition on a place in a document; `rest` is the text after the document's name.
    private init?(document: FilterDocument, _ rest: Substring, isNegated: Bool, isExclaimed: Bool) {
        let path = rest.drop { $0 == "." || $0 == ":" || ForeignCondition.comparisons.contains($0) }
        let place = path.prefix { $0 != ":" && !ForeignCondition.comparisons.contains($0) }
        let (sign, value) = ForeignCondition.split(path[place.endIndex...])
        let isCompared = rest.prefix { ForeignCondition.comparisons.contains($0) }.contains { "=<>".contains($0) }
        let isPlace = isCompared || rest.first.map({ "./:".contains($0) }) == true
        let hasSign = isCompared || sign.contains(where: { "=<>:".contains($0) })
        let isForeign =
            isPlace && (hasSign || rest.hasPrefix("./") || ForeignCondition.names(document, place))
            || isNegated && !isExclaimed
        guard isForeign else { return nil }
        guard !place.isEmpty, !sign.isEmpty, !value.isEmpty else {
            expected = "expected a pointer and a value, as in \(document.facts.line)"
            return
        }
        let pointer = place.hasPrefix("/") ? String(place) : "/" + String(place.map { $0 == "." ? "/" : $0 })
        if let bound = ForeignCondition.bound(sign) {
            expected = ForeignCondition.inJSON(
                bound, "{\"\(document.rawValue)\": {\"\(pointer)\": {\"\(bound)\": \(value)}}}")
            return
        }
        let minus = isNegated != ForeignCondition.isNegation(sign) ? "-" : ""
        let isMisnamed = rest.hasPrefix(":") && sign == ":"
        expected =
            "expected \(isMisnamed ? document.rawValue : "colons"), as in \(minus)\(document.rawValue):\(pointer):\(ForeignCondition.written(value))"
    }

    // MARK: Names

    /// The key that a text names in any case, with hyphens, or as the header with it.
    private static func key(_ name: Substring) -> FilterKey? {
        FilterKey.allCases.first { isName(name, of: $0.rawValue) }
    }

    /// The key that the longest beginning of a text names, as of `apns-topic-com`, and where that ends.
    private static func keyBeforeHyphen(_ name: Substring) -> (key: FilterKey, end: Substring.Index)? {
        for end in name.indices.reversed() where name[end] == "-" && end > name.startIndex {
            if let key = key(name[..<end]) { return (key, end) }
        }
        return nil
    }

    private static func isName(_ text: Substring, of name: String) -> Bool {
        let letters = text.lowercased().filter { $0 != "-" && $0 != "_" }
        return letters == name.lowercased() || letters == "apns" + name.lowercased()
    }

    /// Whether a path without a value can only be meant as a place in a document.
    private static func names(_ document: FilterDocument, _ path: Substring) -> Bool {
        let steps = path.split { $0 == "." || $0 == "/" }
        guard let schema = document.schema else { return steps.count > 1 && steps[0] == "aps" }
        return steps.first.map { schema[String($0)] != nil } == true
    }

    /// Whether the text after a word is punctuation of a sentence, as in `Topic!`, or its genitive, as in `team's`.
    private static func endsSentence(_ rest: Substring) -> Bool {
        rest.first == "'" || rest.first == "\u{2019}" || rest.allSatisfy { ".,;!?)\u{2026}".contains($0) }
    }

    // MARK: Forms

    private static func form(_ key: FilterKey, _ part: String, _ value: String, isNegated: Bool) -> String {
        "\(isNegated ? "-" : "")\(key.rawValue)\(part):\(written(value.isEmpty ? key.example : value))"
    }

    /// Splits a condition into its sign of comparison and the value after it.
    private static func split(_ text: Substring) -> (sign: String, value: String) {
        let sign = text.first == ":" ? text.prefix(1) : text.prefix { comparisons.contains($0) }
        return (String(sign), String(text[sign.endIndex...]))
    }

    private static func isNegation(_ sign: String) -> Bool { sign.contains("!") || sign == "<>" }

    /// The operator of JSON matchers that a sign stands for.
    private static func bound(_ sign: String) -> String? {
        guard sign != "<>" else { return nil }
        return sign.contains(">") ? "gte" : sign.contains("<") ? "lte" : nil
    }

    private static func inJSON(_ bound: String, _ example: String) -> String {
        "a line compares no numbers; in JSON gte and lte do (Documents), as in \(example)"
    }

    private static func written(_ value: String) -> String {
        guard value.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return value }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}
