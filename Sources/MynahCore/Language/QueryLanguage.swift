extension Filter {
    /// Reads one line: words of the payload's text, `"a phrase"`, `key:value`, `-key:value`, `-word`,
    /// `payload:/aps/category:NEWS`, `screen:/title:Hi`, `key~:part`, `payload:/aps/alert/body~:part`.
    ///
    /// A value with spaces or a word with a colon is put in quotes, in which `\"` and `\\` stand for a quote and a
    /// backslash.
    package init(line: String) throws(InputError) {
        var terms = TermList()
        for word in try QueryWord.words(of: line) {
            guard let key = word.key else {
                terms.add(word: word.value, isNegated: word.isNegated)
                continue
            }
            guard key == "payload" || key == "screen" else {
                do throws(InputError) {
                    try terms.add(
                        key, word.value, isNegated: word.isNegated, at: "q",
                        known: FilterKey.names + ["payload:<pointer>", "screen:<pointer>"])
                } catch {
                    guard FilterKey(rawValue: FilterName(key).text) != nil else { throw error }
                    // The line may have many keys.
                    throw error.saying("\(key): \(error.problem)")
                }
                continue
            }
            let parts = word.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2,
                try terms.add(key, pointer: parts[0], String(parts[1]), isNegated: word.isNegated, at: "q")
            else {
                let example = key == "payload" ? "payload:/aps/category:NEWS" : "screen:/title:Hello"
                throw InputError(at: "q", "\(key) has no value: expected a pointer and a value, as in \(example)")
            }
        }
        self = terms.filter
        try checkTimes(at: "q")
    }
}

struct QueryWord: Equatable {
    /// What stands before the first colon outside quotes.
    var key: String?
    /// The rest, without quotes.
    var value = ""
    /// Whether a minus sign stands before it.
    var isNegated = false

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
        var isQuoted = false
        while let character = rest.first, !character.isWhitespace {
            rest.removeFirst()
            switch character {
            case "\"":
                isQuoted = true
                word.value += try quoted(&rest)
            case ":" where word.key == nil && !word.value.isEmpty: (word.key, word.value) = (word.value, "")
            default: word.value.append(character)
            }
        }
        if let key = word.key, word.value.isEmpty, !isQuoted {
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
