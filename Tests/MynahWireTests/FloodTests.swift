import APNsRules
import MynahWire
import NIOCore
import Testing

@Suite("Frames that cost more than they should")
struct FloodTests {
    private static let limit = Limits.futileFramesMax

    /// An integer with a prefix of `bits` bits (RFC 7541 §5.1).
    private static func number(_ value: Int, bits: Int, flags: UInt8) -> [UInt8] {
        let most = 1 << bits - 1
        guard value >= most else { return [flags | UInt8(value)] }
        var bytes = [flags | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return bytes + [UInt8(rest)]
    }

    /// A field that is added to the dynamic table (RFC 7541 §6.2.1).
    private static let entry =
        [0x40, 1, UInt8(ascii: "x")] + number(3900, bits: 7, flags: 0) + Array(repeating: 97, count: 3900)
    /// A reference to that field.
    private static let reference: UInt8 = 0x80 | 62

    private static func headers(_ stream: UInt32, _ block: [UInt8], endsStream: Bool = false) -> [UInt8] {
        let flags = Frame.endHeaders | (endsStream ? Frame.endStream : 0)
        return Frame(kind: .headers, flags: flags, stream: stream, payload: block).bytes
    }

    /// A push whose block also refers to the large field, `references` times.
    private static func bomb(_ stream: UInt32, references: Int, endsStream: Bool = true) -> [UInt8] {
        let block = Array(FrameClient.open(stream).dropFirst(9)) + Array(repeating: reference, count: references)
        return headers(stream, block, endsStream: endsStream)
    }

    /// A connection whose dynamic table has the large field.
    private static func armed() throws -> FrameClient {
        let client = try FrameClient.greeted()
        let block = Array(FrameClient.open(1).dropFirst(9)) + entry
        #expect(try client.send(headers(1, block, endsStream: true)).map(\.kind) == [.headers])
        return client
    }

    @Test("a header list that is too large is answered 431", arguments: [3, 8, 14])
    func tooLarge(references: Int) throws {
        let client = try Self.armed()
        let frames = try client.send(Self.bomb(3, references: references))
        #expect(frames.map(\.kind) == [.headers])
        #expect(client.responder.problems == [.headerListTooLarge])
        #expect(client.responder.requests == [1])
    }

    @Test("a far larger list is not read to its end, and the compression stays in step", arguments: [18, 12_000])
    func bomb(references: Int) throws {
        let client = try Self.armed()
        #expect(try client.send(Self.bomb(3, references: references)) == [.rstStream(3, .enhanceYourCalm)])
        // If the table were out of step, the reference would be invalid.
        let frames = try client.send(Self.bomb(5, references: 1))
        #expect(frames.map(\.kind) == [.headers])
        #expect(client.responder.requests == [1, 5])
    }

    @Test("trailers that are far too large are not read to their end either")
    func trailers() throws {
        let client = try Self.armed()
        try client.send(FrameClient.open(3))
        let block = Array(repeating: Self.reference, count: 12_000)
        #expect(try client.send(Self.headers(3, block, endsStream: true)) == [.rstStream(3, .enhanceYourCalm)])
        #expect(try client.send(FrameClient.push(5)).map(\.kind) == [.headers])
    }

    @Test("a refused stream's fields are not read at all")
    func refused() throws {
        let responder = ScriptedResponder()
        responder.streamLimit = 1
        let client = try FrameClient.greeted(responder)
        try client.send(FrameClient.open(1))
        let frames = try client.send(Self.bomb(3, references: 0), Self.bomb(5, references: 0, endsStream: false))
        #expect(frames == [.rstStream(3, .refusedStream), .rstStream(5, .refusedStream)])
        #expect(try client.send(Frame(kind: .data, flags: Frame.endStream, stream: 1).bytes).map(\.kind) == [.headers])
    }

    @Test("too many header blocks that are not read to their end close the connection")
    func bombs() throws {
        let client = try Self.armed()
        try expectCalm(client) { Self.bomb($0, references: 18) }
    }

    @Test("too many window overflows close the connection")
    func windows() throws {
        let client = try FrameClient.greeted()
        try expectCalm(client) {
            FrameClient.open($0)
                + Frame(kind: .windowUpdate, stream: $0, payload: Frame.bigEndian(UInt32(Int32.max))).bytes
        }
    }

    @Test("too many wrong content-lengths close the connection")
    func contentLengths() throws {
        let client = try FrameClient.greeted()
        let field: [UInt8] = [0, 14] + Array("content-length".utf8) + [1, UInt8(ascii: "7")]
        try expectCalm(client) {
            let block = Array(FrameClient.open($0).dropFirst(9)) + field
            return Self.headers($0, block, endsStream: true)
        }
    }

    @Test("too many empty DATA frames close the connection")
    func emptyData() throws {
        let client = try FrameClient.greeted()
        try client.send(FrameClient.open(1))
        let empty = Frame(kind: .data, stream: 1).bytes
        for _ in 0..<Self.limit { #expect(try client.send(empty).isEmpty) }
        try client.send(empty)
        let frames = try client.send(empty)
        #expect(frames.map(\.kind) == [.goAway])
        #expect(frames.first?.goAwayCode == HTTP2ErrorCode.enhanceYourCalm.rawValue)
    }

    @Test("one futile frame per answered request is always allowed")
    func paidFor() throws {
        let client = try FrameClient.greeted()
        let count = UInt32(3 * Self.limit)
        for number in 0..<count {
            let stream = 1 + 2 * number
            let empty = Frame(kind: .data, stream: stream).bytes
            let end = Frame(kind: .data, flags: Frame.endStream, stream: stream).bytes
            try client.send(FrameClient.open(stream), empty, end)
        }
        #expect(client.responder.requests.count == Int(count))
        #expect(client.responder.problems.isEmpty)
    }

    @Test("resets by a fault do not count against the client")
    func faults() throws {
        let client = try FrameClient.greeted()
        let code = HTTP2ErrorCode(rawValue: 2)
        let count = UInt32(2 * Self.limit)
        client.responder.answers = Array(
            repeating: .act(.resetStream(code, afterHeaders: false), nil), count: Int(count))
        for number in 0..<count {
            #expect(try client.send(FrameClient.push(1 + 2 * number)) == [.rstStream(1 + 2 * number, code)])
        }
    }

    /// Checks that too many frames that get their streams reset end the connection.
    private func expectCalm(_ client: FrameClient, _ bytes: (UInt32) -> [UInt8]) throws {
        var stream: UInt32 = 3
        var frames = try client.send(bytes(stream))
        while frames.map(\.kind) == [.rstStream], stream < 4 * Self.limit {
            stream += 2
            frames = try client.send(bytes(stream))
        }
        #expect(stream > 2 * Self.limit)
        #expect(frames.map(\.kind) == [.goAway])
        #expect(frames.first?.goAwayCode == HTTP2ErrorCode.enhanceYourCalm.rawValue)
        #expect(client.responder.problems.last == .protocolViolation("too many empty or invalid frames"))
        #expect(client.responder.endCount == 1)
    }
}
