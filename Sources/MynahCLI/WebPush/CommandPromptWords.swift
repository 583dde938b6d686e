import MynahCore

/// The words of a command as the command prompt of Windows and a program's runtime split it, which browsers copy as "cURL
/// (cmd)".
enum CommandPromptWords {
    /// Whether a text has carets where only the command prompt has them: before quotes, and at the ends of lines.
    static func areMeant(by text: String) -> Bool { text.contains(/\s\^(?:"|\R)/) }

    static func words(_ text: String) throws(CommandFailure) -> [ShellWords.Word] {
        var splitter = Splitter()
        var rest = Substring(text)
        // Within quotes of the prompt a caret is a character like others.
        var isQuoted = false
        while let character = rest.popFirst() {
            if character == "%", let name = variable(in: rest) { splitter.word.expansions.append(name) }
            switch character {
            case "^" where !isQuoted:
                guard let next = rest.popFirst() else { break }
                // A line that goes on in the next; an empty one between them is the end of a line in a value.
                guard next.isNewline else {
                    splitter.take(next)
                    continue
                }
                if rest.first?.isNewline == true, splitter.isQuoted {
                    rest.removeFirst()
                    splitter.take("\n")
                }
            case "&", "|", "<", ">":
                if isQuoted { splitter.take(character) } else { rest = "" }
            default:
                if character == "\"" { isQuoted.toggle() }
                splitter.take(character)
            }
        }
        guard !splitter.isQuoted else {
            throw CommandFailure(.usage, "the command ends inside quotes: expected the closing one")
        }
        return splitter.words()
    }

    /// The variable behind a percent sign: `%TOKEN%`.
    private static func variable(in rest: Substring) -> String? {
        rest.prefixMatch(of: /([A-Za-z_][A-Za-z0-9_]*)%/).map { "%\($0.1)%" }
    }

    /// Splits what the prompt leaves, by the rules of Microsoft's C runtime, but for two quotes in a row, which browsers
    /// don't write.
    private struct Splitter {
        var word = ShellWords.Word()
        private(set) var isQuoted = false
        private var ended: [ShellWords.Word] = []
        private var hasWord = false
        /// The backslashes at the end of the word, which count only before a quote.
        private var slashes = 0

        mutating func take(_ character: Character) {
            switch character {
            case "\"":
                word.text.removeLast((slashes + 1) / 2)
                if slashes.isMultiple(of: 2) { isQuoted.toggle() } else { word.text.append(character) }
                hasWord = true
            case _ where character.isWhitespace && !isQuoted: endWord()
            default:
                word.text.append(character)
                hasWord = true
            }
            slashes = character == "\\" ? slashes + 1 : 0
        }

        mutating func words() -> [ShellWords.Word] {
            endWord()
            return ended
        }

        private mutating func endWord() {
            if hasWord { ended.append(word) }
            word = ShellWords.Word()
            hasWord = false
        }
    }
}
