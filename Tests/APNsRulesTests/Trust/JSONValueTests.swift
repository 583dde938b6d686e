import APNsRules
import Testing

@Suite("JSON")
struct JSONValueTests {
    @Test(
        "compact JSON is written as it was read, with its order and spelling of numbers",
        arguments: [
            "null", "true", "false", "0", "-0", "1.50", "1e5", "1E+5", "-12.5e-3", "123456789012345678901234567890",
            #""""#, #""text""#, #""a\"b\\c""#, #""ü€😀""#, "[]", "[1,[2,[]],{}]", #"{"b":1,"a":{"c":null},"b":2}"#,
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONValue(parsing: text).encodedText == text)
    }

    @Test("white space around all tokens is skipped")
    func whiteSpace() throws {
        let value = try JSONValue(parsing: " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n")
        #expect(value == ["a": [1, 2], "b": .object([])])
    }

    static let escapes: [(text: String, value: String)] = [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00fc\u20AC""#, "Aü€"),
        (#""\ud83d\ude00""#, "😀"),
        (#""\ud83d""#, "\u{FFFD}"),
        (#""\ude00x""#, "\u{FFFD}x"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"),
        (#""\u0000""#, "\0"),
    ]

    @Test("escapes are read, half a surrogate pair as U+FFFD", arguments: escapes.indices)
    func readsEscapes(index: Int) throws {
        let (text, value) = JSONValueTests.escapes[index]
        #expect(try JSONValue(parsing: text).string == value)
    }

    @Test("control characters are written as escapes that read back the same")
    func controlCharacters() throws {
        let text = String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init)))
        let encoded = JSONValue.string(text).encodedText
        #expect(encoded.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try JSONValue(parsing: encoded).string == text)
    }

    static let faults: [(text: String, offset: Int)] = [
        ("", 0), ("  ", 2), ("nul", 0), ("nulL", 0), ("tru e", 0), ("1 2", 2), ("01", 1), ("-", 1), ("1.", 2),
        (".5", 0),
        ("1e", 2), ("1e+", 3), ("+1", 0), ("\"abc", 4), ("\"a\nb\"", 2), (#""\x""#, 2), (#""\u12G4""#, 5), (#""\"#, 2),
        ("[1,]", 3), ("[1 2]", 3), ("[", 1), ("[1", 2), ("{", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7),
        ("{a:1}", 1), (#"{"a":1 "b":2}"#, 7), ("'a'", 0), ("{}x", 2), ("[1]]", 3),
    ]

    @Test("invalid JSON is an error at the byte where reading stopped", arguments: faults.indices)
    func refused(index: Int) throws {
        let (text, offset) = JSONValueTests.faults[index]
        let error = try #require(throws: JSONError.self) { _ = try JSONValue(parsing: text) }
        #expect(error.offset == offset, "\(error)")
    }

    @Test("a string that is not UTF-8 is refused")
    func notUTF8() {
        #expect(throws: JSONError.self) { _ = try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test("128 levels are read, and 10,000 are an error, not a stack overflow")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        _ = try JSONValue(parsing: nested(JSONValue.depthMax))
        let error = try #require(throws: JSONError.self) { _ = try JSONValue(parsing: nested(10_000)) }
        #expect(error.problem.contains("128"))
    }

    @Test("of two members with the same name the last one counts")
    func repeatedName() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"a":2}"#)["a"] == 2)
    }

    @Test("numbers are equal if their values are, and whole ones have an integer value")
    func numbers() throws {
        #expect(try JSONValue(parsing: "1.0") == 1)
        #expect(try JSONValue(parsing: "1e3").integer == 1000)
        #expect(try JSONValue(parsing: "1.5").integer == nil)
        #expect(try JSONValue(parsing: "9223372036854775807").integer == .max)
        #expect(try JSONValue(parsing: "9223372036854775807") != JSONValue(parsing: "9223372036854775806"))
    }
}
