import MynahCore
import Testing

@Suite("Printable text")
struct PrintableTextTests {
    @Test(
        "characters that control a terminal are escaped with four digits",
        arguments: [
            ("plain é 日本 🙂", "plain é 日本 🙂"), ("two\nlines\tand a tab", "two\nlines\tand a tab"),
            ("\u{1B}[2J", #"\u001b[2J"#), ("a\u{7}b\rc", #"a\u0007b\u000dc"#), ("\u{7F}", #"\u007f"#),
            ("\u{80}\u{9B}\u{9F}\u{A0}", "\\u0080\\u009b\\u009f\u{A0}"),
            ("\u{202A}\u{202E}\u{2066}\u{2069}\u{2028}\u{2029}", #"\u202a\u202e\u2066\u2069\u2028\u2029"#),
            ("\u{200E}\u{200F}\u{61C}", "\u{200E}\u{200F}\u{61C}"),
            // Behind a letter it is a part of a grapheme.
            ("e\u{301}\u{202E}", "e\u{301}\\u202e"), ("\r\n", "\\u000d\n"),
        ])
    func escaped(text: String, expected: String) {
        #expect(PrintableText.escaped(text) == expected)
    }

    @Test("escape characters stay if colours are kept")
    func colours() {
        #expect(
            PrintableText.escaped("\u{1B}[31mx\u{9B}\u{1B}[0m", keepsColours: true) == "\u{1B}[31mx\\u009b\u{1B}[0m")
    }
}
