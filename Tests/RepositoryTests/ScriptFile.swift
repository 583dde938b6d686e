/// Files of Python and of the shell, whose comments begin with `#`.
enum ScriptFile {
    /// The lines without comments; the n-th is the n-th line of the file.
    ///
    /// A comment begins where a line or a word does: `${name#prefix}` has none. In a string literal it is not told apart.
    static func codeLines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var previous: Character = " "
            return line.prefix { character in
                defer { previous = character }
                return character != "#" || !previous.isWhitespace
            }
        }
    }
}
