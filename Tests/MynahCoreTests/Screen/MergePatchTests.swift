import APNsRules
import Testing

@testable import MynahCore

@Suite("Merge patches")
struct MergePatchTests {
    @Test(
        "the cases of RFC 7396, appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, #"null"#, #"null"#),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func casesOfTheRFC(original: String, patch: String, result: String) throws {
        let patched = try JSONValue(parsing: original).mergePatched(with: JSONValue(parsing: patch))
        #expect(patched.encodedText == result)
    }

    @Test("a patch leaves one of two members with one name")
    func duplicateMembers() throws {
        let original = try JSONValue(parsing: #"{"a":{"x":1},"b":2,"a":{"y":3}}"#)
        let patched = original.mergePatched(with: ["a": ["z": 4]])
        #expect(patched.encodedText == #"{"a":{"y":3,"z":4},"b":2}"#)
    }
}
