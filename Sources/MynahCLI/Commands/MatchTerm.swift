import APNsRules

/// One condition of an expectation, from a flag or from a query line.
struct MatchTerm: Equatable, Sendable {
    /// A filter key, or `payload`.
    var key: String
    /// The JSON pointer, for `payload`.
    var pointer: String?
    /// The value as it was written.
    var value: String
    /// Whether the condition is that it does not match.
    var isNegated = false

    init(key: String, pointer: String? = nil, value: String, isNegated: Bool = false) {
        self.key = key
        self.pointer = pointer
        self.value = value
        self.isNegated = isNegated
    }

    /// Keys whose values are numbers or booleans in the API's JSON.
    private static let typedKeys: Set<String> = ["priority", "status", "connection", "shown"]

    /// The `match` of `models.md` that asks for all these conditions: values of one key are *any of*.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/usage`` where a match can't say it: a key both wanted and
    ///   unwanted, or several texts that must all be there.
    static func match(_ terms: [MatchTerm]) throws(CommandFailure) -> JSONValue {
        var members: [JSONMember] = []
        var payload: [JSONMember] = []
        var seen: Set<String> = []
        for term in terms {
            let name = term.pointer ?? term.key
            guard seen.insert(term.key + " " + name).inserted else { continue }
            let same = terms.filter { $0.key == term.key && $0.pointer == term.pointer }
            guard Set(same.map(\.isNegated)).count == 1 else {
                throw CommandFailure(.usage, "\(name) is both wanted and unwanted; say one of them")
            }
            let values = same.flatMap(\.candidates)
            let matcher: JSONValue = values.count == 1 ? values[0] : .array(values)
            let member = JSONMember(name, term.isNegated ? .object([JSONMember("not", matcher)]) : matcher)
            if term.pointer == nil { members.append(member) } else { payload.append(member) }
        }
        if !payload.isEmpty { members.append(JSONMember("payload", .object(payload))) }
        return .object(members)
    }

    // What was written on a command line may mean the number 3 or the text "3"; in a payload both are tried.
    private var candidates: [JSONValue] {
        guard pointer != nil || MatchTerm.typedKeys.contains(key) else { return [.string(value)] }
        let parsed: JSONValue
        do {
            parsed = try JSONValue(parsing: value)
        } catch {
            return [.string(value)]
        }
        switch parsed {
        case .number, .bool: return pointer == nil ? [parsed] : [parsed, .string(value)]
        default: return [.string(value)]
        }
    }
}

/// Reads the one-line form of the filters: bare words search the payload's text, `"a phrase"`, `key:value`,
/// `-key:value`, `payload:/aps/category:NEWS` (`control-api.md`, *One filter language*).
enum QueryLine {
    /// The conditions in `line`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/usage``: a quote that does not end, a key without a value,
    ///   more than one bare word, which a match can't ask for.
    static func terms(_ line: String) throws(CommandFailure) -> [MatchTerm] {
        var terms: [MatchTerm] = []
        for word in try words(line) {
            terms.append(try term(word))
        }
        let texts = terms.filter { $0.key == "text" && !$0.isNegated }.map(\.value)
        guard texts.count <= 1 else {
            throw CommandFailure(
                .usage, "an expectation takes one text; put quotes around a phrase: \"\(texts.joined(separator: " "))\""
            )
        }
        return terms
    }

    private struct Word {
        var text = ""
        var isQuoted = false
    }

    private static func words(_ line: String) throws(CommandFailure) -> [Word] {
        var words: [Word] = []
        var word: Word?
        var inQuotes = false
        for character in line {
            if character == "\"" {
                if !inQuotes, word == nil { word = Word(isQuoted: true) }
                inQuotes.toggle()
            } else if character.isWhitespace, !inQuotes {
                if let word { words.append(word) }
                word = nil
            } else {
                word = word ?? Word()
                word?.text.append(character)
            }
        }
        guard !inQuotes else { throw CommandFailure(.usage, "a quote does not end in: \(line)") }
        if let word { words.append(word) }
        return words
    }

    private static func term(_ word: Word) throws(CommandFailure) -> MatchTerm {
        guard !word.isQuoted, let colon = word.text.firstIndex(of: ":") else {
            let isNegated = !word.isQuoted && word.text.hasPrefix("-") && word.text.count > 1
            return MatchTerm(
                key: "text", value: isNegated ? String(word.text.dropFirst()) : word.text, isNegated: isNegated)
        }
        let isNegated = word.text.hasPrefix("-")
        let key = String(word.text[..<colon].dropFirst(isNegated ? 1 : 0))
        let rest = String(word.text[word.text.index(after: colon)...])
        guard !key.isEmpty, !rest.isEmpty else {
            throw CommandFailure(.usage, "\"\(word.text)\" has no key or no value; expected key:value")
        }
        guard key == "payload" else { return MatchTerm(key: key, value: rest, isNegated: isNegated) }
        guard rest.hasPrefix("/"), let second = rest.firstIndex(of: ":") else {
            throw CommandFailure(.usage, "\"\(word.text)\": expected payload:/aps/category:NEWS")
        }
        return MatchTerm(
            key: key, pointer: String(rest[..<second]), value: String(rest[rest.index(after: second)...]),
            isNegated: isNegated)
    }
}
