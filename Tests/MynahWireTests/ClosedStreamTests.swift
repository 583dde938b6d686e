import APNsRules
import MynahWire
import NIOCore
import Testing

@Suite("Frames on closed streams")
struct ClosedStreamTests {
    private static let cancel = HTTP2ErrorCode(rawValue: 8)

    private static func data(_ stream: UInt32, endsStream: Bool = true) -> [UInt8] {
        Frame(kind: .data, flags: endsStream ? Frame.endStream : 0, stream: stream, payload: [1]).bytes
    }

    /// Checks that the connection ends by a GOAWAY with the code.
    private static func expectEnd(
        _ code: HTTP2ErrorCode, _ frames: [Frame], _ client: FrameClient,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(frames.last?.kind == .goAway, sourceLocation: sourceLocation)
        #expect(frames.last?.goAwayCode == code.rawValue, sourceLocation: sourceLocation)
        #expect(client.responder.endCount == 1, sourceLocation: sourceLocation)
    }

    @Test("DATA and HEADERS on an answered stream end the connection", arguments: [true, false])
    func closed(isData: Bool) throws {
        let client = try FrameClient.greeted()
        try client.send(FrameClient.push(1), FrameClient.push(3))
        let frames = try client.send(isData ? Self.data(1) : FrameClient.open(1))
        Self.expectEnd(.streamClosed, frames, client)
        #expect(client.responder.problems.count == 1)
        #expect(client.responder.requests == [1, 3])
    }

    @Test("the violation is found regardless of how the bytes are split")
    func inPieces() throws {
        let bytes =
            FrameClient.preface + Frame(kind: .settings).bytes + FrameClient.open(1) + FrameClient.push(3)
            + Frame.rstStream(1, Self.cancel).bytes + Self.data(1)
        let loop = try WireLoop(TestIdentity.identity)
        for cut in 1..<bytes.count {
            let client = try FrameClient(loop: loop)
            let frames = try client.send(Array(bytes[..<cut])) + client.send(Array(bytes[cut...]))
            Self.expectEnd(.streamClosed, frames, client)
        }
    }

    @Test("HEADERS on a skipped stream is a protocol error")
    func skipped() throws {
        let client = try FrameClient.greeted()
        try client.send(FrameClient.push(1), FrameClient.push(7))
        Self.expectEnd(.protocolError, try client.send(FrameClient.open(3)), client)
    }

    @Test("open streams accept frames in any order")
    func open() throws {
        let client = try FrameClient.greeted()
        let streams: [UInt32] = [1, 3, 5, 7]
        try client.send(Array(streams.map { FrameClient.open($0) }.joined()))
        let frames = try client.send(
            Self.data(3, endsStream: false), Self.data(1, endsStream: false),
            Array(streams.reversed().map { Self.data($0) }.joined()))
        #expect(frames.map(\.kind) == Array(repeating: .headers, count: 4))
        #expect(client.responder.requests == [7, 5, 3, 1])
    }

    @Test("frames in flight when this side reset a stream are ignored, for any number of streams")
    func underWay() throws {
        let responder = ScriptedResponder()
        responder.streamLimit = 1
        let client = try FrameClient.greeted(responder)
        try client.send(FrameClient.open(1))
        let last: UInt32 = 3001
        for stream in stride(from: 3, through: last, by: 2) {
            #expect(try client.send(FrameClient.open(stream)) == [.rstStream(stream, .refusedStream)])
        }
        for stream in [3, 1501, 2501, last] {
            #expect(try client.send(Self.data(stream), FrameClient.open(stream)).isEmpty)
        }
        #expect(try client.send(Self.data(1)).map(\.stream) == [1])
        #expect(try client.send(FrameClient.push(last + 2)).map(\.stream) == [last + 2])
    }

    @Test("after a GOAWAY, streams above its last one are ignored")
    func behindGoAway() throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        try client.send(FrameClient.push(1))
        let frames = try client.tell(.shutDown(reason: .shutdown, grace: .seconds(3)))
        #expect(frames.map(\.kind) == [.goAway])
        #expect(try client.send(FrameClient.open(3), FrameClient.open(5), Self.data(3), Self.data(5)).isEmpty)
        #expect(try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted()))).map(\.kind) == [.headers])
    }
}
