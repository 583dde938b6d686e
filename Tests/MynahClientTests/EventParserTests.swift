import APNsRules
import Testing

@testable import MynahClient

@Suite("Parsing of server-sent events")
struct EventParserTests {
    private static let text = """
        :\u{20}
        id: 3

        event: notification
        id: 4
        data: {"sequence":4,"payload":{"aps":{"alert":"grüß"}}}

        : nothing happens
        id: 7

        event:gap
        data:{"from":8,
        data: "to":9}

        data: 1


        """
    private static let events = [
        ServerEvent(name: "notification", data: ["sequence": 4, "payload": ["aps": ["alert": "grüß"]]]),
        ServerEvent(name: "gap", data: ["from": 8, "to": 9]), ServerEvent(name: "message", data: 1),
    ]

    @Test("events are the same in one piece and byte by byte, with any line ending", arguments: ["\n", "\r\n", "\r"])
    func pieces(end: String) throws {
        let bytes = Array(
            Self.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end).utf8)
        var whole = EventParser()
        #expect(try whole.read(bytes) == Self.events)
        #expect(whole.lastEventID == "7")
        var byBytes = EventParser()
        var found: [ServerEvent] = []
        for byte in bytes { found += try byBytes.read([byte]) }
        #expect(found == Self.events)
    }

    @Test("an event that is too long is an error, in one line and in many", arguments: [1, 1 << 20])
    func tooLong(lineBytes: Int) throws {
        var parser = EventParser()
        let line = Array(repeating: UInt8(ascii: "a"), count: lineBytes == 1 ? EventParser.eventBytesMax : lineBytes)
        let error = #expect(throws: ClientError.self) {
            for _ in 0...EventParser.eventBytesMax / line.count {
                _ = try parser.read(Array("data: ".utf8) + line + [0x0A])
            }
        }
        #expect(error?.code == .notMynah)
        #expect(error?.message == "an event has more than 16777216 bytes")
    }

    @Test("an ID counts when its block has ended, with or without an event")
    func ids() throws {
        var parser = EventParser()
        #expect(try parser.read(Array(": \nid: 12\n\n".utf8)).isEmpty)
        #expect(parser.lastEventID == "12")
        _ = try parser.read(Array("event: notification\nid: 13\ndata: {".utf8))
        #expect(parser.lastEventID == "12", "the event has not come")
        _ = try parser.read(Array("}\n\n".utf8))
        #expect(parser.lastEventID == "13")
    }

    @Test("data that isn't JSON is an error")
    func broken() {
        #expect(throws: ClientError.self) {
            var parser = EventParser()
            _ = try parser.read(Array("data: {\n\n".utf8))
        }
    }
}
