import Testing

@testable import APNsRules

@Suite("Names of header fields")
struct FieldNameTests {
    /// Header blocks that were kept hold these numbers: a name may be added, and none may get another number.
    private static let numbers: [UInt8: String] = [
        0: "", 1: ":method", 2: ":path", 3: ":scheme", 4: ":authority", 5: "host", 6: "authorization", 7: "apns-id",
        8: "apns-topic", 9: "apns-push-type", 10: "apns-expiration", 11: "apns-priority", 12: "apns-collapse-id",
        13: "apns-channel-id", 14: "apns-request-id", 15: "content-length", 16: "content-type", 17: "user-agent",
    ]

    @Test("each name keeps its number")
    func numbersStay() {
        let numbers = Dictionary(uniqueKeysWithValues: FieldName.allCases.map { ($0.rawValue, $0.text) })
        #expect(numbers == Self.numbers)
    }

    @Test("a name is recognised by its bytes, and only by all of them", arguments: FieldName.allCases)
    func recognised(name: FieldName) {
        #expect(FieldName(Array(name.text.utf8).span) == name)
        #expect(name.textCount == name.text.utf8.count)
        #expect(FieldName(Array((name.text + "x").utf8).span) == .other)
        #expect(FieldName(Array(name.text.uppercased().utf8).span) == .other)
        #expect(FieldName(Array(name.text.dropLast().utf8).span) == .other)
    }

    @Test("a kept header block is read as it was written")
    func bytes() {
        var block = HeaderBlock()
        block.append("apns-id", "1")
        block.append("x-y", "2")
        #expect(block.bytes == [7, 1, 0, 0x31, 0, 3, 0, 0x78, 0x2D, 0x79, 1, 0, 0x32])
        #expect(block.fields(authorization: nil).map { "\($0.name): \($0.value)" } == ["apns-id: 1", "x-y: 2"])
    }
}
