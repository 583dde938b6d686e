import Testing

@testable import MynahCore

@Suite("Strings files")
struct StringsFileTests {
    struct Reading: Sendable, CustomStringConvertible {
        let text: String
        let strings: [String: String]
        var warnings: [String] = []
        var description: String { text }
    }

    @Test(
        "entries are read",
        arguments: [
            Reading(text: "", strings: [:]),
            Reading(text: " \r\n\t ", strings: [:]),
            Reading(text: #""a" = "b";"#, strings: ["a": "b"]),
            Reading(text: #""a"="b";"c"="d";"#, strings: ["a": "b", "c": "d"]),
            Reading(text: "a = b;", strings: ["a": "b"]), Reading(text: "\u{FEFF}a = b;", strings: ["a": "b"]),
            Reading(text: "com.example/key-1_$: = 'single';", strings: ["com.example/key-1_$:": "single"]),
            Reading(text: #""a";"#, strings: ["a": "a"]),
            Reading(text: "/* all */ \"a\" /* here */ = // and here\n \"b\" /**/ ; // end", strings: ["a": "b"]),
            Reading(text: "a/* ends the key */= b//ends the value\n;", strings: ["a": "b"]),
            Reading(text: #""a" = "/* no comment */ // none";"#, strings: ["a": "/* no comment */ // none"]),
            Reading(text: #""q" = "\"\\\n\t\r\a\b\f\v\'\/";"#, strings: ["q": "\"\\\n\t\r\u{7}\u{8}\u{C}\u{B}'/"]),
            Reading(text: #""u" = "\U00e4\u00E4\UD83D\UDE00";"#, strings: ["u": "ää😀"]),
            Reading(text: #""o" = "\101\60\7x";"#, strings: ["o": "A0\u{7}x"]),
            Reading(text: #""x" = "\q\ä";"#, strings: ["x": "qä"]),
            Reading(text: "\"l\" = \"two\nlines\";", strings: ["l": "two\nlines"]),
            Reading(text: "\"l\" = \"joined\\\nline\";", strings: ["l": "joined\nline"]),
            Reading(
                text: "a = 1;\na = 2;", strings: ["a": "2"],
                warnings: ["line 2: the key a is given twice, the last one counts"]),
            Reading(
                text: #"a = "\351";"#, strings: ["a": "é"],
                warnings: ["line 1: octal escapes beyond \\177 are read as Latin 1, which a device may not do"]),
            Reading(text: "{}", strings: [:]),
            Reading(text: #" {"a": "b", "c" : "\u00e4\/\ud83d\ude00" } "#, strings: ["a": "b", "c": "ä/😀"]),
            Reading(
                text: "{\"a\": \"1\",\n\"a\": \"2\"}", strings: ["a": "2"],
                warnings: ["line 2: the key a is given twice, the last one counts"]),
        ])
    func entriesAreRead(reading: Reading) throws {
        let file = try StringsFile(parsing: reading.text)
        #expect(file.strings == reading.strings)
        #expect(file.warnings == reading.warnings)
    }

    struct Fault: Sendable, CustomStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let problem: String
        var description: String { text }
    }

    @Test(
        "an error names its place and what was expected",
        arguments: [
            Fault(text: #""a" "b";"#, line: 1, column: 5, problem: "expected = after the key a"),
            Fault(
                text: #""a" = "b""#, line: 1, column: 10,
                problem: "expected a semicolon after the value of a; the file ends"),
            Fault(
                text: "\"a\" = \"b\"\n\"c\" = \"d\";", line: 2, column: 1,
                problem: "expected a semicolon after the value of a"),
            Fault(
                text: "a = b;\r\n  = c;", line: 2, column: 3,
                problem: "expected a key, in quotes or of letters and digits"),
            Fault(
                text: "a = ;", line: 1, column: 5,
                problem: "expected the value of a, in quotes or of letters and digits"),
            Fault(
                text: "a = ä;", line: 1, column: 5,
                problem: "expected the value of a, in quotes or of letters and digits"),
            Fault(text: "a = b;\n\"c", line: 2, column: 1, problem: "the string that begins here has no closing quote"),
            Fault(text: "a = b; /* c", line: 1, column: 8, problem: "the comment that begins here is not closed by */"),
            Fault(text: #"a = "\u12G4";"#, line: 1, column: 10, problem: "expected four hexadecimal digits"),
            Fault(text: #"a = "\ud83d";"#, line: 1, column: 6, problem: "half of a surrogate pair is not a character"),
            Fault(text: #"a = "\ude00";"#, line: 1, column: 6, problem: "half of a surrogate pair is not a character"),
            Fault(
                text: #"a = "\ud83d\u0041";"#, line: 1, column: 6,
                problem: "half of a surrogate pair is not a character"),
            Fault(
                text: #"a = "\"#, line: 1, column: 7,
                problem: "expected an escape after the backslash; the file ends"),
            Fault(text: #"{"a" = "b"}"#, line: 1, column: 6, problem: "expected a colon after the key a"),
            Fault(text: #"{a: "b"}"#, line: 1, column: 2, problem: "expected a key in quotes"),
            Fault(text: "{\"a\": 1}", line: 1, column: 7, problem: "expected the value of a in quotes"),
            Fault(
                text: "{\"a\": \"1\"\n\"b\"", line: 2, column: 1,
                problem: "expected a comma or a closing brace after a's value"),
            Fault(
                text: "{\"a\": \"1\"} x", line: 1, column: 12, problem: "expected the end after the closing brace"),
            Fault(
                text: "{\"a\": \"\n\"}", line: 1, column: 8,
                problem: "a control character in a JSON string must be escaped"),
            Fault(text: #"{"a": "\q"}"#, line: 1, column: 8, problem: "JSON knows no escape \\q"),
            Fault(text: "{\"a\": \"1\",}", line: 1, column: 11, problem: "expected a key in quotes"),
        ])
    func faultIsSaidWithItsPlace(fault: Fault) {
        let error = #expect(throws: InputError.self) { try StringsFile(parsing: fault.text) }
        #expect(error == InputError(at: "line \(fault.line), column \(fault.column)", fault.problem))
    }

    @Test("a file and its entries are bounded")
    func bounds() throws {
        let long = String(repeating: " ", count: StringsFile.bytesMax + 1)
        #expect(throws: InputError.self) { try StringsFile(parsing: long) }
        let most = try StringsFile(parsing: String(long.dropLast()))
        #expect(most.strings.isEmpty)
        let entries = (0..<StringsFile.entriesMax).map { "k\($0)=v;" }.joined()
        let full = try StringsFile(parsing: entries)
        #expect(full.strings.count == StringsFile.entriesMax)
        #expect(throws: InputError.self) { try StringsFile(parsing: entries + "one=more;") }
    }

    @Test("a written file reads the same")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 0x57)
        let alphabet = Array("ab\"\\\n\r\t '/*;=%@ä😀\u{1}".unicodeScalars)
        for _ in 0..<200 {
            var strings: [String: String] = [:]
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                func word() -> String {
                    let length = Int.random(in: 0..<9, using: &random)
                    return String(
                        String.UnicodeScalarView(
                            (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" }))
                }
                strings[word()] = word()
            }
            let file = try StringsFile(parsing: StringsFile(strings: strings).text)
            #expect(file.strings == strings)
        }
    }

    @Test("random text is read or refused, and never crashes")
    func randomText() {
        var random = SeededGenerator(seed: 0x58)
        let alphabet = Array("\"\\/*={};:,uU0aD8'\n \u{FEFF}ä\u{0}")
        let place = /line [1-9]\d*, column [1-9]\d*/
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<16, using: &random)
            let text = String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? " " })
            do throws(InputError) {
                _ = try StringsFile(parsing: text)
            } catch {
                #expect(error.field.wholeMatch(of: place) != nil && !error.problem.isEmpty)
            }
        }
    }
}
