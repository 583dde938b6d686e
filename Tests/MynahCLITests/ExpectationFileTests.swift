import APNsRules
import MynahClient
import Testing

@testable import MynahCLI

@Suite("Files of expectations")
struct ExpectationFileTests {
    private func read(_ text: String, _ flags: [JSONMember] = []) throws -> [NamedExpectation] {
        try ExpectationFile(text, path: "e.yaml", flags: flags).expectations
    }

    @Test("an object has expectations and defaults for them, which flags override")
    func shared() throws {
        let text = """
            scope: t42
            within: 2s
            expectations:
              - name: the news are sent
                match: {topic: com.example.app, payload: {/aps/category: NEWS}, screen: {/badge: 3}}
                count: {exactly: 3}
              - within: 1s
                inOrder: [{topic: a}, {q: "topic:b hi"}]
            """
        let expectations = try read(text, [JSONMember("scope", "t43"), JSONMember("after", 7)])
        #expect(expectations.map(\.name) == ["the news are sent", "expectation 2"])
        #expect(expectations.map(\.line) == [4, 7])
        #expect(expectations.map(\.file) == ["e.yaml", "e.yaml"])
        #expect(
            expectations[0].body.encodedText
                == #"{"match":{"topic":"com.example.app","payload":{"/aps/category":"NEWS"},"screen":{"/badge":3}},"#
                + #""count":{"exactly":3},"scope":"t43","after":7,"within":"2s"}"#)
        #expect(
            expectations[1].body.encodedText
                == #"{"within":"1s","inOrder":[{"topic":"a"},{"q":"topic:b hi"}],"scope":"t43","after":7}"#)
    }

    @Test("exclusive adds an expectation of nothing else, which is checked last")
    func exclusive() throws {
        let text = """
            scope: t42
            settle: 1s
            exclusive: true
            expectations:
              - match: {topic: a}
              - inOrder: [{topic: b}, {q: hi}]
                scope: t43
              - match: {topic: never}
                count: {max: 0}
            """
        let expectations = try read(text)
        #expect(expectations.map(\.comesLast) == [false, false, false, true])
        let last = try #require(expectations.last)
        #expect(last.line == 3)
        #expect(last.wanted == "none, and then 1s of quiet")
        #expect(
            last.body.encodedText
                == #"{"count":{"max":0},"otherThan":[{"topic":"a","scope":"t42"},{"topic":"b","scope":"t43"},{"q":"hi","scope":"t43"}],"#
                + #""scope":"t42","settle":"1s"}"#)
        #expect(try read("exclusive: false\nexpectations: [{}]").count == 1)
    }

    @Test("a file may be JSON, or only an array")
    func array() throws {
        let expectations = try read(#"[{"name": "a", "match": {}}, {"name": "b", "count": {"max": 0}}]"#)
        #expect(expectations.map(\.name) == ["a", "b"])
        #expect(expectations.map(\.wanted) == ["at least 1 within 5s", "none"])
    }

    @Test(
        "an error has file, line and field",
        arguments: [
            ("", "e.yaml:1: expected an array of expectations"), ("7", "e.yaml:1: expected an array"),
            ("[]", "e.yaml:1: 0 expectations: expected 1 to 1000"),
            ("expectation:\n- {}", "e.yaml:2: unknown member \"expectation\": did you mean \"expectations\"?"),
            ("- match: {}\n- macth: {}", "e.yaml:2: /macth: unknown member \"macth\": did you mean \"match\"?"),
            ("- name: a\n  match:\n    tpoic: b", "e.yaml:3: /match/tpoic"),
            ("within: 5\nexpectations:\n- {}", "e.yaml:1: /within: 5 is not valid: expected a duration with a unit"),
            ("- name: a\n- match: {}\n  name: a", "e.yaml:3: duplicate name \"a\": the expectation on line 1 has it"),
            ("- name: 7", "e.yaml:1: /name: expected a string that is not empty"),
            ("- text", "e.yaml:1: \"text\" is not valid: expected an object"),
            ("- match: {screen: {/tilte: x}}", "e.yaml:1: /match/screen/~1tilte"),
            ("- scope: a b", "e.yaml:1: /scope: \"a b\" is not valid: expected a scope name of 1 to 64"),
            ("exclusive: maybe\nexpectations: [{}]", "e.yaml:1: /exclusive: expected true or false"),
            ("a: [", "e.yaml:"),
        ])
    func mistakes(text: String, message: String) {
        do throws(CommandFailure) {
            _ = try ExpectationFile(text, path: "e.yaml")
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.status == .configuration)
            #expect(error.message.hasPrefix(message), "\(error.message)")
        }
    }

    @Test("a missing file is named")
    func missing() {
        expectFailure(.configuration, "--file: there is no file /nowhere/e.yaml") {
            _ = try ExpectationFile(path: "/nowhere/e.yaml")
        }
    }

    @Test(
        "an expectation has a description",
        arguments: [
            (#"{}"#, "at least 1 within 5s"), (#"{"count":{"exactly":3},"within":"1m"}"#, "exactly 3 within 1m"),
            (#"{"count":{"max":2}}"#, "at most 2"), (#"{"count":{"min":2,"max":4}}"#, "2 to 4 within 5s"),
            (#"{"count":{"max":0},"settle":"2s"}"#, "none, and then 2s of quiet"),
            (#"{"inOrder":[{},{}],"within":"1s"}"#, "2 in order within 1s"),
        ])
    func words(body: String, words: String) throws {
        #expect(NamedExpectation(name: "", body: try JSONValue(parsing: body)).wanted == words)
    }
}
