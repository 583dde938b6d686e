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
            Reading(text: "a = b;", strings: ["a": "b"]),
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
                warnings: ["line 2: the key a is there twice, the last one counts"]),
            Reading(
                text: #"a = "\351";"#, strings: ["a": "é"],
                warnings: ["line 1: octal escapes beyond \\177 are read as Latin 1, which a device may not do"]),
            Reading(text: "{}", strings: [:]),
            Reading(text: #" {"a": "b", "c" : "\u00e4\/\ud83d\ude00" } "#, strings: ["a": "b", "c": "ä/😀"]),
            Reading(
                text: "{\"a\": \"1\",\n\"a\": \"2\"}", strings: ["a": "2"],
                warnings: ["line 2: the key a is there twice, the last one counts"]),
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
        "a fault is said with its place and what was expected",
        arguments: [
            Fault(text: #""a" "b";"#, line: 1, column: 5, problem: "= was expected after the key a"),
            Fault(
                text: #""a" = "b""#, line: 1, column: 10,
                problem: "a semicolon was expected after the value of a; the file ends"),
            Fault(
                text: "\"a\" = \"b\"\n\"c\" = \"d\";", line: 2, column: 1,
                problem: "a semicolon was expected after the value of a"),
            Fault(
                text: "a = b;\r\n  = c;", line: 2, column: 3,
                problem: "a key was expected, in quotes or of letters and digits"),
            Fault(
                text: "a = ;", line: 1, column: 5,
                problem: "the value of a was expected, in quotes or of letters and digits"),
            Fault(
                text: "a = ä;", line: 1, column: 5,
                problem: "the value of a was expected, in quotes or of letters and digits"),
            Fault(text: "a = b;\n\"c", line: 2, column: 1, problem: "the string that begins here has no closing quote"),
            Fault(text: "a = b; /* c", line: 1, column: 8, problem: "the comment that begins here is not closed by */"),
            Fault(text: #"a = "\u12G4";"#, line: 1, column: 10, problem: "four hexadecimal digits were expected"),
            Fault(text: #"a = "\ud83d";"#, line: 1, column: 6, problem: "half of a surrogate pair is no character"),
            Fault(text: #"a = "\ude00";"#, line: 1, column: 6, problem: "half of a surrogate pair is no character"),
            Fault(
                text: #"a = "\ud83d\u0041";"#, line: 1, column: 6, problem: "half of a surrogate pair is no character"),
            Fault(
                text: #"a = "\"#, line: 1, column: 7,
                problem: "an escape was expected after the backslash; the file ends"),
            Fault(text: #"{"a" = "b"}"#, line: 1, column: 6, problem: "a colon was expected after the key a"),
            Fault(text: #"{a: "b"}"#, line: 1, column: 2, problem: "a key in quotes was expected"),
            Fault(text: "{\"a\": 1}", line: 1, column: 7, problem: "the value of a in quotes was expected"),
            Fault(
                text: "{\"a\": \"1\"\n\"b\"", line: 2, column: 1,
                problem: "a comma or a closing brace was expected after a's value"),
            Fault(
                text: "{\"a\": \"1\"} x", line: 1, column: 12, problem: "the end was expected after the closing brace"),
            Fault(
                text: "{\"a\": \"\n\"}", line: 1, column: 8,
                problem: "a control character in a JSON string must be escaped"),
            Fault(text: #"{"a": "\q"}"#, line: 1, column: 8, problem: "JSON knows no escape \\q"),
            Fault(text: "{\"a\": \"1\",}", line: 1, column: 11, problem: "a key in quotes was expected"),
        ])
    func faultIsSaidWithItsPlace(fault: Fault) {
        let error = #expect(throws: StringsError.self) { try StringsFile(parsing: fault.text) }
        #expect(error == StringsError(line: fault.line, column: fault.column, problem: fault.problem))
    }

    @Test("UTF-16 is read in both byte orders, UTF-8 with its mark")
    func encodings() throws {
        let text = "\"grüß\" = \"😀\";"
        let little = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
            let file = try StringsFile(parsing: bytes)
            #expect(file.strings == ["grüß": "😀"])
        }
    }

    @Test(
        "bytes that are no text are an error with their place",
        arguments: [
            ([0x61, 0x0A, 0x62, 0xFF], "line 2, column 2: UTF-8, or UTF-16 with a byte order mark, was expected"),
            ([0x61, 0x00, 0x3D, 0x00], "line 1, column 2: a zero byte; UTF-16 needs its byte order mark"),
            ([0xFF, 0xFE, 0x61, 0x00, 0x62], "line 1, column 2: UTF-16 has an even number of bytes"),
            ([0xFE, 0xFF, 0xDE, 0x00], "line 1, column 1: UTF-16 was expected"),
        ] as [([UInt8], String)])
    func bytesThatAreNoText(bytes: [UInt8], problem: String) {
        let error = #expect(throws: StringsError.self) { try StringsFile(parsing: bytes) }
        #expect(error?.description == problem)
    }

    @Test("a file and its entries are bounded")
    func bounds() throws {
        let long = [UInt8](repeating: 0x20, count: StringsFile.bytesMax + 1)
        #expect(throws: StringsError.self) { try StringsFile(parsing: long) }
        let most = try StringsFile(parsing: Array(long.dropLast()))
        #expect(most.strings.isEmpty)
        let entries = (0..<StringsFile.entriesMax).map { "k\($0)=v;" }.joined()
        let full = try StringsFile(parsing: entries)
        #expect(full.strings.count == StringsFile.entriesMax)
        #expect(throws: StringsError.self) { try StringsFile(parsing: entries + "one=more;") }
    }

    @Test("a file that was written reads the same")
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

    @Test("random bytes are read or refused, and nothing else")
    func randomBytes() {
        var random = SeededGenerator(seed: 0x58)
        let alphabet: [UInt8] = Array("\"\\/*={};:,uU0aD8'\n ".utf8) + [0xFF, 0xFE, 0xC3, 0x00]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<16, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            do throws(StringsError) {
                _ = try StringsFile(parsing: bytes)
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && !error.problem.isEmpty)
            }
        }
    }
}
