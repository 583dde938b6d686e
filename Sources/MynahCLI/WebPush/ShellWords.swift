import MynahCore

/// The words of the first command of a line as a POSIX shell splits it, without expansions and redirections.
enum ShellWords {
    /// A word, and what a shell would put into it.
    struct Word {
        var text = ""
        /// The variables and commands, as they are written: `$TOKEN`, `${TOKEN}`, `$(date)`.
        var expansions: [String] = []
        /// The variables in single quotes, which a shell leaves as they are.
        var quoted: [String] = []
    }

    static func split(_ text: String) throws(CommandFailure) -> [String] { try words(text).map(\.text) }

    static func words(_ text: String) throws(CommandFailure) -> [Word] {
        var words: [Word] = []
        var word: String?
        var expansions: [String] = []
        var quoted: [String] = []
        var quote: Character?
        // Whether the word is a file of a redirection.
        var isRedirection = false
        var rest = Substring(text)
        func endWord() {
            guard let ended = word else { return }
            if !isRedirection { words.append(Word(text: ended, expansions: expansions, quoted: quoted)) }
            isRedirection = false
            word = nil
            expansions = []
            quoted = []
        }
        while let character = rest.popFirst() {
            if "$`".contains(character), let expansion = expansion(character, rest) {
                if quote == "'" { quoted.append(expansion) } else { expansions.append(expansion) }
            }
            switch (quote, character) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case (nil, "'"), (nil, "\""):
                quote = character
                word = word ?? ""
            case (nil, "$") where rest.first == "'", ("'", _):
                word = (word ?? "") + (quote == nil ? "" : String(character))
            case (_, "\\"):
                // A line that goes on in the next, with the line ends of either system.
                guard let next = rest.popFirst() else { break }
                if next.isNewline { continue }
                let isKept = quote == "\"" && !"\"\\$`".contains(next)
                word = (word ?? "") + (isKept ? "\\" : "") + String(next)
            case (nil, ">"), (nil, "<"),
                (nil, "&") where rest.first == ">":
                // A number is that of a file descriptor, as in 2>.
                if word?.allSatisfy(\.isNumber) == true { word = nil }
                endWord()
                let isHereDocument = character == "<" && rest.first == "<" && !rest.hasPrefix("<<")
                rest = isHereDocument ? "" : rest.drop { "<>&|".contains($0) }
                isRedirection = true
            case (nil, "|"), (nil, ";"), (nil, "&"): rest = ""
            case (nil, "#") where word == nil: rest = rest.drop { !$0.isNewline }
            case (nil, _) where character.isWhitespace: endWord()
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else {
            throw CommandFailure(.usage, "the command ends inside quotes: expected the closing one")
        }
        endWord()
        return words
    }

    /// The variable or the command that begins with a character, which is not escaped; `nil` for one that stands for
    /// itself.
    private static func expansion(_ first: Character, _ rest: Substring) -> String? {
        if first == "`" { return rest.firstIndex(of: "`").map { "`\(rest[...$0])" } }
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if !name.isEmpty { return "$\(name)" }
        let ends: [Character: Character] = ["{": "}", "(": ")"]
        guard let end = rest.first.flatMap({ ends[$0] }), let last = rest.firstIndex(of: end) else { return nil }
        return "$\(rest[...last])"
    }
}
