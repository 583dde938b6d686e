extension Filter {
    /// Reads one line: words of the payload's text, `"a phrase"`, `key:value`, `-key:value`, `-word`,
    /// `payload:/aps/category:NEWS`, `screen:/title:Hi`, `webPush:/ttl:60`, `key~:part`, `payload:/aps/alert/body~:part`.
    ///
    /// A value with spaces or a word with a colon is put in quotes, in which `\"` and `\\` stand for a quote and a
    /// backslash.
    package init(line: String, of subject: FilterSubject = .pushes) throws(InputError) {
        var terms = TermList()
        let words = try QueryWord.words(of: line)
        if let word = words.first, words.count == 1, word.value == "-", !word.isPhrase {
            throw InputError(
                at: "q",
                "- excludes nothing: expected a word or a key behind it without a space; \"-\" in quotes is a text of the "
                    + "payload")
        }
        for word in words {
            guard let key = word.key else {
                try word.checkText()
                terms.add(word: word.value, isNegated: word.isNegated)
                continue
            }
            guard let document = FilterDocument(rawValue: key) else {
                if FilterKey.pointerNames.contains(where: { key.hasPrefix($0 + ".") }) {
                    try word.checkPointer(key[...])
                }
                do throws(InputError) {
                    try terms.add(
                        key, word.value, isNegated: word.isNegated, at: "q",
                        known: FilterKey.names + FilterKey.pointerNames.map { $0 + ":<pointer>" })
                } catch {
                    guard FilterKey(rawValue: FilterName(key).text) == nil else {
                        // The line may have many keys.
                        throw error.saying("\(key): \(error.problem)")
                    }
                    // A pointer may have any character.
                    if !FilterKey.pointerNames.contains(where: { key.hasPrefix($0 + ".") }) { try word.checkForm() }
                    guard error.kind == .unknownName, !error.problem.contains("did you mean") else { throw error }
                    throw error.saying(
                        "\(error.problem); \"\(key):\(word.value)\" in quotes is a word of the payload")
                }
                continue
            }
            let parts = word.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            try word.checkPointer(parts[0])
            guard parts.count == 2,
                try terms.add(key, pointer: parts[0], String(parts[1]), isNegated: word.isNegated, at: "q")
            else {
                throw InputError(
                    at: "q", "\(key) has no value: expected a pointer and a value, as in \(document.facts.line)")
            }
        }
        self = terms.filter
        try checkPossible(subject, at: "q")
    }
}

struct QueryWord: Equatable {
    /// What stands before the first colon outside quotes.
    var key: String?
    /// The rest, without quotes.
    var value = ""
    /// Whether a minus sign precedes the word.
    var isNegated = false
    /// Whether a part of the word is in quotes.
    var isQuoted = false
    /// Whether the word begins with a quote, so that nothing in it is a key.
    var isPhrase = false

    // What other query languages have between terms.
    private static let operators = ["AND", "OR", "NOT", "&&", "||"]

    /// Refuses a word of the payload's text that is meant as something else.
    func checkText() throws(InputError) {
        guard !value.isEmpty else {
            throw InputError(at: "q", "\"\" is in every payload: expected a word or a phrase in the quotes")
        }
        guard !isPhrase else { return }
        if QueryWord.operators.contains(value) {
            throw InputError(
                at: "q",
                "\(value) is no operator: different keys have to match all, a repeated key any of its values, and - "
                    + "before a key negates it; \"\(value)\" in quotes is a word of the payload")
        }
        try checkPunctuation()
        try checkForm()
    }

    /// Refuses a word of signs that stand between a key and its value, and one that is written as a pattern.
    private func checkPunctuation() throws(InputError) {
        let inQuotes = "; \"\(value)\" in quotes is a word of the payload"
        if value.allSatisfy({ "=<>!:~".contains($0) }), value.contains(where: { "=<>:".contains($0) }) {
            throw InputError(
                at: "q",
                "\(value) stands alone: expected a key in front and a value behind it without spaces, as in "
                    + "topic:com.example.app\(inQuotes)")
        }
        if value.hasPrefix(":") {
            throw InputError(
                at: "q",
                "\(value) has no key in front of its colon: expected one, as in topic:com.example.app\(inQuotes)")
        }
        let word = value.prefix { $0 != "*" }
        guard word.count < value.count, let last = word.last, last.isLetter || last.isNumber,
            value[word.endIndex...].allSatisfy({ $0 == "*" }), ForeignCondition(value, isNegated: isNegated) == nil
        else { return }
        throw InputError(
            at: "q",
            "\(value) is no pattern: a word matches any part of the payload's text, so expected \(word)\(inQuotes)")
    }

    /// Refuses a pointer with a sign that compares, as of `payload./aps/url=https://a.example`, whose colon would end it
    /// at the wrong place.
    func checkPointer(_ pointer: Substring) throws(InputError) {
        guard !isQuoted, pointer.contains(where: { "=<>".contains($0) }) else { return }
        try checkForm()
    }

    /// Refuses what is a condition in another form or language.
    func checkForm() throws(InputError) {
        let text = (key.map { $0 + ":" } ?? "") + value
        guard let condition = ForeignCondition(text, isNegated: isNegated) else { return }
        throw InputError(
            at: "q",
            "\(isNegated ? "-" : "")\(text) is no condition: \(condition.expected); \"\(text)\" in quotes is a word of "
                + "the payload")
    }

    static func words(of line: String) throws(InputError) -> [QueryWord] {
        var words: [QueryWord] = []
        var rest = line[...]
        while let first = rest.first {
            if first.isWhitespace { rest.removeFirst() } else { words.append(try word(&rest)) }
        }
        return words
    }

    private static func word(_ rest: inout Substring) throws(InputError) -> QueryWord {
        var word = QueryWord()
        if rest.first == "-", let next = rest.dropFirst().first, !next.isWhitespace {
            word.isNegated = true
            rest.removeFirst()
        }
        while let character = rest.first, !character.isWhitespace {
            rest.removeFirst()
            switch character {
            case "\"":
                if word.key == nil, word.value.isEmpty { word.isPhrase = true }
                word.isQuoted = true
                word.value += try quoted(&rest)
            case ":" where word.key == nil && !word.value.isEmpty:
                word.key = word.value
                word.value = ""
            default: word.value.append(character)
            }
        }
        if let key = word.key, word.value.isEmpty, !word.isQuoted {
            throw InputError(at: "q", "\(key) has no value: expected one, or \"\" for the empty one")
        }
        return word
    }

    private static func quoted(_ rest: inout Substring) throws(InputError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                text.append(escaped)
            default: text.append(character)
            }
        }
        throw InputError(at: "q", "unclosed quotation: expected a quote after \"\(text)")
    }
}
