import MynahCore

/// The words of a command line as a POSIX shell splits it, up to the end of the first command; variables aren't replaced.
enum ShellWords {
    struct Word {
        var text = ""
        /// The first variable or command that a shell would replace, as it is written: `$TOKEN`, `$(date)`.
        var expansion: String?
    }

    static func words(_ text: some StringProtocol) throws(CommandFailure) -> [Word] {
        var words: [Word] = []
        var word: Word?
        // The character that began the quotes; `$` for those of `$'…'`.
        var quote: Character?
        var rest = Substring(text)
        func append(_ text: String) {
            if word == nil { word = Word() }
            word?.text += text
        }
        reading: while let character = rest.popFirst() {
            switch (quote, character) {
            case ("'", "'"), ("$", "'"), ("\"", "\""): quote = nil
            case ("'", _): append(String(character))
            case ("$", _): append(character == "\\" ? escaped(&rest) : String(character))
            case (nil, "$") where rest.first == "'":
                rest.removeFirst()
                quote = character
                append("")
            case (nil, "'"), (nil, "\""):
                quote = character
                append("")
            case (_, "$") where rest.first == "(", (_, "`"):
                guard let command = substitution(character, rest) else {
                    throw CommandFailure(
                        .usage,
                        "the command ends inside \(character)\(rest.prefix(1)): expected the end of that command")
                }
                rest = rest[command.endIndex...]
                append("\(character)\(command)")
                if word?.expansion == nil { word?.expansion = "\(character)\(command)" }
            case (_, "\\"):
                // At the end of a line it joins that with the next; pywebpush prints blanks behind it.
                let after = rest.drop { $0 == " " }
                if quote == nil, after.first?.isNewline == true { rest = after }
                guard let next = rest.popFirst(), !next.isNewline else { break }
                append((quote == nil || "\"\\$`".contains(next) ? "" : "\\") + String(next))
            case (nil, "|"), (nil, ";"), (nil, "&"): break reading
            case (nil, "<") where rest.first == "<": break reading
            case (nil, "#") where word == nil: rest = rest.drop { !$0.isNewline }
            case (nil, _) where character.isNewline && (word != nil || !words.isEmpty): break reading
            case (nil, _) where character.isWhitespace || "<>".contains(character):
                if let ended = word { words.append(ended) }
                word = nil
            default:
                append(String(character))
                if character == "$", word?.expansion == nil { word?.expansion = variable(rest) }
            }
        }
        guard quote == nil else {
            throw CommandFailure(.usage, "the command ends inside quotes: expected the closing one")
        }
        return word.map { words + [$0] } ?? words
    }

    /// What a backslash within `$'…'` and the characters after it stand for.
    private static func escaped(_ rest: inout Substring) -> String {
        guard let letter = rest.popFirst() else { return "" }
        let digitsMax: [Character: Int] = ["x": 2, "u": 4, "U": 8]
        guard let count = digitsMax[letter] else {
            let controls: [Character: String] = ["n": "\n", "r": "\r", "t": "\t"]
            return controls[letter] ?? String(letter)
        }
        let digits = rest.prefix(count).prefix(while: \.isHexDigit)
        rest = rest[digits.endIndex...]
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    }

    /// What follows the dollar sign or the backquote that begins the command whose output replaces it, up to its end; `nil`
    /// if it has none.
    private static func substitution(_ first: Character, _ rest: Substring) -> Substring? {
        if first == "`" { return rest.firstIndex(of: "`").map { rest[...$0] } }
        var depth = 0
        var quote: Character?
        var isEscaped = false
        for index in rest.indices {
            let character = rest[index]
            switch (quote, character) {
            case _ where isEscaped: isEscaped = false
            case (nil, "\\"), ("\"", "\\"): isEscaped = true
            case ("'", "'"), ("\"", "\""): quote = nil
            case (nil, "'"), (nil, "\""): quote = character
            case (nil, "("): depth += 1
            case (nil, ")"):
                depth -= 1
                if depth == 0 { return rest[...index] }
            default: break
            }
        }
        return nil
    }

    /// The variable that begins with a dollar sign; `nil` for one that stands for itself.
    private static func variable(_ rest: Substring) -> String? {
        rest.prefixMatch(of: /[A-Za-z0-9_]+|\{[^}]*\}/).map { "$\($0.output)" }
    }
}
