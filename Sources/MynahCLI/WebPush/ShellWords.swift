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
                if word?.expansion == nil { word?.expansion = expansion(character, rest) }
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

    /// The variable or the command that begins with a character; `nil` for one that stands for itself.
    private static func expansion(_ first: Character, _ rest: Substring) -> String? {
        if first == "`" { return rest.firstIndex(of: "`").map { "`\(rest[...$0])" } }
        guard first == "$" else { return nil }
        let match = rest.prefixMatch(of: /[A-Za-z0-9_]+|\{[^}]*\}|\([^)]*\)/)
        return match.map { "$\($0.output)" }
    }
}
