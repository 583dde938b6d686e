import APNsRules
import Testing

@testable import MynahCore

@Suite("Members of a device's JSON")
struct FieldReaderTests {
    @Test("a member's place is a JSON pointer, whatever its name has")
    func place() throws {
        let reader = try FieldReader(["a/b~c": 7], at: "/apps/0", known: ["a/b~c"])
        #expect(reader.place("a/b~c") == "/apps/0/a~1b~0c")
        let error = #expect(throws: DeviceError.self) { try reader.text("a/b~c") }
        #expect(error?.field == "/apps/0/a~1b~0c")
    }
}
