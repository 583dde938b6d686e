import APNsRules
import Testing

@testable import MynahCore

@Suite("Members of a document")
struct ObjectReaderTests {
    private static let schema: Schema = [
        Member("a/b~c", .anyText), Member("count", .integer(1...10), isRequired: true),
        Member("priority", .choice(["low", "high"])), Member("rest", .duration(.zero ... .seconds(60))),
        Member("tags", .array(of: .name("a tag", bytesMax: 4), 0...2)),
        Member("when", .either(.time, .object([Member("n", .bool)]))), Member("bound", .types([.number, .string])),
        Member("part", .either(.types([.object]), .array(of: .bool))),
    ]

    @Test("a member's place is a JSON pointer, whatever its name has")
    func place() throws {
        let json: JSONValue = ["a/b~c": 7, "count": 1]
        let error = #expect(throws: InputError.self) { try ObjectReader(json, at: "/apps/0", Self.schema) }
        #expect(error?.field == "/apps/0/a~1b~0c")
    }

    @Test(
        "what is wrong is said first, then what was expected",
        arguments: [
            (#"{"count":1,"cuont":2}"#, "/cuont: unknown member \"cuont\": did you mean \"count\"?"),
            ("{}", "/count: count is missing: expected a whole number from 1 to 10"),
            (#"{"count":11}"#, "/count: 11 is not valid: expected a whole number from 1 to 10"),
            (#"{"count":1,"count":2}"#, "/count: count is given twice: expected it once"),
            (#"{"count":1,"priority":"hihg"}"#, "/priority: \"hihg\" is not valid: did you mean \"high\"?"),
            (#"{"count":1,"priority":[]}"#, "/priority: an array is not valid: expected low or high"),
            (
                #"{"count":1,"rest":"2m"}"#,
                "/rest: 2m is too long: expected at most 1m"
            ),
            (
                #"{"count":1,"rest":"soon"}"#,
                "/rest: \"soon\" is not valid: expected a duration with a unit, such as 250ms, 5s or 1h30m, from 0s to 1m"
            ),
            (
                #"{"count":1,"tags":["a","b","c"]}"#,
                "/tags: 3 elements are not valid: expected an array of at most 2 elements"
            ),
            (
                #"{"count":1,"tags":["a b"]}"#,
                "/tags/0: \"a b\" is not valid: expected a tag of 1 to 4 characters of A-Z a-z 0-9 . _ -"
            ),
            (#"{"count":1,"when":{"n":1}}"#, "/when/n: 1 is not valid: expected true or false"),
            (#"{"count":1,"bound":[]}"#, "/bound: an array is not valid: expected a number or a string"),
            (#"{"count":1,"part":"a"}"#, "/part: \"a\" is not valid: expected an object, or an array"),
            (#"{"count":1,"part":[true,1]}"#, "/part/1: 1 is not valid: expected true or false"),
            ("7", "7 is not valid: expected an object"),
        ])
    func messages(json: String, message: String) throws {
        let json = try JSONValue(parsing: json)
        let error = #expect(throws: InputError.self) { try ObjectReader(json, Self.schema) }
        #expect(error?.description == message)
    }

    @Test(
        "a value of one of several types is read, whatever is in it",
        arguments: [#"{"bound":1.5}"#, #"{"bound":""}"#, #"{"part":{"a":1}}"#, #"{"part":[]}"#])
    func types(json: String) throws {
        let members = try JSONValue(parsing: json).object ?? []
        let reader = try ObjectReader(.object([JSONMember("count", 1)] + members), Self.schema)
        for member in members { #expect(reader[member.name] == member.value) }
    }

    @Test("a null member counts as absent, but as given")
    func null() throws {
        let reader = try ObjectReader(["count": 2, "priority": .null], Self.schema)
        #expect(reader["priority"] == nil)
        #expect(reader.has("priority") && !reader.has("rest"))
        #expect(reader.integer("count", UInt8.self) == 2)
    }
}
