import APNsRules
import MynahYAML
import Testing

@testable import MynahCLI

@Suite("YAML with line numbers")
struct YAMLReaderTests {
    private func value(_ text: String) throws -> JSONValue {
        try LocatedDocument(text, path: "a.yaml").value
    }

    @Test(
        "plain scalars are null, booleans and numbers where they can be, and all others are strings",
        arguments: [
            ("1", "1"), ("-2.5e3", "-2.5e3"), ("true", "true"), ("~", "null"), ("\"1\"", "\"1\""),
            ("'true'", "\"true\""), ("yes", "\"yes\""), ("[]", "[]"), ("{}", "{}"),
            ("|\n  two\n  lines\n", "\"two\\nlines\\n\""), (">-\n  one\n  line\n", "\"one line\""),
            ("\"\\u00e9\\n\"", "\"é\\n\""), ("[1, \"a\", [~]]", "[1, \"a\", [null]]"),
            ("- 1\n- b: 2\n  a: [true]\n", "[1, {\"b\": 2, \"a\": [true]}]"),
            ("{\"b\": 1, \"a\": {\"c\": [true, null]}}", "{\"b\": 1, \"a\": {\"c\": [true, null]}}"),
            ("a: &x [1]\nb: *x\nc: &x 2\nd: *x\n", "{\"a\": [1], \"b\": [1], \"c\": 2, \"d\": 2}"),
        ])
    func values(text: String, json: String) throws {
        #expect(try value(text) == JSONValue(parsing: json))
    }

    @Test("an empty document is an object without members", arguments: ["", "\n", "# nothing\n"])
    func nothing(text: String) throws {
        #expect(try value(text) == .object([]))
    }

    @Test("a JSON pointer leads to the line of its value or of the nearest enclosing one")
    func lines() throws {
        let document = try LocatedDocument("# begins\n\na:\n  - b: 1\n    c/d: 2\n", path: "a.yaml")
        #expect(document.line(of: "/a/0/b") == 4)
        #expect(document.line(of: "/a/0/c~1d") == 5)
        #expect(document.line(of: "/a/0/e") == 4)
        #expect(document.line(of: "/nothing") == 3)
    }

    @Test(
        "an error has its line",
        arguments: [
            ("a: [1\n", 2, "not YAML: "), ("a: \"b\n", 2, "not YAML: "), ("a: b: c\n", 1, "not YAML: "),
            ("a: *b\n", 1, "not YAML: found undefined alias *b"), ("a: 1\nb: \u{7}\n", 2, "not YAML: "),
            ("a: 1\n---\nb: 2\n", 2, "a second document begins: expected one in a file"),
            ("{\"a\": 1}\n{\"a\": 2}\n", 2, "text follows the end of the document: expected one in a file"),
            ("a: &x 1\nb:\n  <<: *x\n", 3, "<< is not valid: expected a mapping, or a list of mappings"),
            ("x:\n  a: 1\n  b: 2\n  a: 3\n", 2, "given more than once: a"),
            ("[a]: 1\n", 1, "unexpected key: expected a name"),
        ])
    func faults(text: String, line: Int, problem: String) {
        let failure = #expect(throws: CommandFailure.self) { try value(text) }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.hasPrefix("a.yaml:\(line): \(problem)") == true, "\(failure?.message ?? "")")
    }

    @Test("a tag of YAML's own says whether a scalar is a text")
    func tags() throws {
        #expect(
            try value("{a: !!str 200, b: !!int \"200\", c: !!bool 'true', d: !other 1}") == [
                "a": "200", "b": 200, "c": true, "d": 1,
            ])
    }

    @Test(
        "a plain number has one of the forms of YAML 1.2",
        arguments: [
            ("+3", "3"), ("-3", "-3"), ("0x1F", "31"), ("0o17", "15"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5"),
            ("+1.5e3", "1500"),
        ])
    func numbers(text: String, json: String) throws {
        #expect(try value("a: \(text)")["a"] == JSONValue(parsing: json))
    }

    @Test(
        "what looks like a number may be a text, such as an ID or a token",
        arguments: ["0123", "007", "+-3", ".", "+", "1.2.", "0xgg", "0x", "0x+1", "1_000", ".inf", "12:30"])
    func texts(text: String) throws {
        #expect(try value("a: \(text)")["a"] == .string(text))
    }

    @Test("a plain << stands for the members of other mappings, after the mapping's own")
    func merged() throws {
        let base = "base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\n"
        func found(_ text: String) throws -> JSONValue? { try value(base + text)["found"] }
        #expect(try found("found: {<<: *base, b: 5}") == ["b": 5, "a": 1])
        #expect(try found("found: {<<: [*base, *more]}") == ["a": 1, "b": 2, "c": 4])
        #expect(try found("found: {\"<<\": 1}") == ["<<": 1])
        let big = "big: &big {" + (0..<2000).map { "a\($0): 1" }.joined(separator: ", ") + "}\nlist:\n"
        expectFailure(.configuration, "a.yaml:503: more than 1000000 values, with aliases resolved") {
            _ = try value(big + String(repeating: "  - <<: *big\n", count: 1000))
        }
    }

    @Test("values can be nested up to the limit")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try value(nested(YAMLReader.depthMax))
        // Levels without an end, too, of which each takes room on the stack.
        let endless = ["[", "{a: ", "{[", "- "].map { String(repeating: $0, count: 200_000) }
        for text in endless {
            expectFailure(.configuration, "a.yaml:1: nested more than 100 levels deep") { _ = try value(text) }
        }
        expectFailure(.configuration, "a.yaml:1: nested more than 100 levels deep") {
            _ = try value(nested(YAMLReader.depthMax + 1))
        }
    }

    @Test("nested aliases don't exhaust the memory")
    func aliasesToAliases() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...7 {
            let previous = (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ", ")
            text += "a\(level): &a\(level) [\(previous)]\n"
        }
        let failure = #expect(throws: CommandFailure.self) { try value(text) }
        #expect(failure?.message.contains("more than 1000000 values") == true, "\(failure?.message ?? "")")
    }
}
