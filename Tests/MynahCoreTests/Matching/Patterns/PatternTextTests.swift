import APNsRules
import Testing

@testable import MynahCore

@Suite("Patterns side by side")
struct PatternTextTests {
    private static let texts = [
        "", "a", "b", "aab", "aaaaaaaab", "é", "Éa", "straße", "ſ", "k\u{212A}", "1२3", "a b\u{2009}c", "𝒜a", "日本語a",
        String(repeating: "a", count: 100), String(repeating: "é", count: 100) + "b",
        String(repeating: "word ", count: 30) + "end",
    ]
    private static let patterns = [
        "a", "^a", "a$", "^$", "a*", "(a|aa)+b", "[^a]", "é", "(?i)é", #"\w+$"#, #"^\W"#, #"\bend\b"#, #"\B"#, #"\d\d"#,
        #"\s"#, "^.{100}$", "[à-ü]b", "(?i)straSSe|k$", "x", "(a*)*b$", "^(.*a){12}", "日.語",
    ]

    private static func compile(_ texts: some Sequence<String>) throws -> [Pattern] {
        try texts.map { try Pattern($0, ignoresCase: false, at: "") }
    }

    @Test("each pattern finds what it finds alone", arguments: texts)
    func alone(text: String) throws {
        let patterns = try Self.compile(Self.patterns)
        let alone = patterns.map { $0.matches(text) }
        #expect(PatternText(text).outcomes(of: patterns) == alone)
        #expect(PatternText(text).outcomes(of: patterns.reversed()) == alone.reversed())
        // However many there are for the last four.
        for count in 0...5 {
            #expect(PatternText(text).outcomes(of: Array(patterns.prefix(count))) == Array(alone.prefix(count)))
        }
    }

    @Test(
        "a part is found anywhere in a text, however repetitive its bytes",
        arguments: [
            "", "a", "ab", "aab", "aabaab", "abaab", "aaaaaaaab", "baaaaaaaaa", "abababac", "ababababab", "c",
            String(repeating: "a", count: 60) + "b", String(repeating: "ab", count: 40) + "c",
        ])
    func contained(part: String) {
        let texts =
            Self.texts + [
                "aabaaab", "aabaabaab", "ababababac", String(repeating: "a", count: 500),
                String(repeating: "a", count: 500) + "b" + String(repeating: "a", count: 20),
                String(repeating: "ab", count: 300), String(repeating: "ab", count: 300) + "c", "xx" + part, part + "x",
                "a" + part + part,
            ]
        for text in texts {
            let bytes = Array(text.utf8)
            let wanted = Array(part.utf8)
            let naive =
                bytes.count >= wanted.count
                && (0...(bytes.count - wanted.count)).contains {
                    bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
                }
            #expect(JSONValue.string(text).contains(part) == naive, "\(part) in \(text)")
        }
    }
}
