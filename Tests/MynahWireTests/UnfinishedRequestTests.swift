import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("Incomplete requests")
struct UnfinishedRequestTests {
    private static let timeout = TimeAmount.seconds(60)
    private static let cancel = HTTP2ErrorCode(rawValue: 8)

    private static func end(_ stream: UInt32) -> [UInt8] {
        Frame(kind: .data, flags: Frame.endStream, stream: stream, payload: Array("{}".utf8)).bytes
    }

    private static func advance(_ time: TimeAmount, _ client: FrameClient) throws -> [Frame] {
        client.channel.embeddedEventLoop.advanceTime(by: time)
        return try client.received()
    }

    // MARK: Time

    @Test("only a request that takes too long is reset, and another stream may be opened")
    func slow() throws {
        let client = try FrameClient.greeted()
        try client.send(FrameClient.open(1))
        #expect(try Self.advance(Self.timeout, client).isEmpty)
        try client.send(FrameClient.open(3))
        #expect(try Self.advance(.seconds(15), client) == [.rstStream(1, Self.cancel)])
        #expect(client.responder.problems == [.requestsTimedOut(1)])
        #expect(try client.send(Self.end(3)).map(\.kind) == [.headers])
        #expect(client.responder.requests == [3])
        #expect(try client.send(FrameClient.push(5)).map(\.kind) == [.headers])
    }

    @Test("trickling bytes do not extend the time limit", arguments: [true, false])
    func trickling(isHeaders: Bool) throws {
        let client = try FrameClient.greeted()
        var bytes = FrameClient.open(1)
        if !isHeaders { try client.send(bytes) }
        if !isHeaders { bytes = Frame(kind: .data, stream: 1, payload: Array(repeating: 32, count: 100)).bytes }
        for byte in bytes.prefix(74) {
            #expect(try client.send([byte]).isEmpty)
            #expect(try Self.advance(.seconds(1), client).isEmpty)
        }
        #expect(try Self.advance(.seconds(15), client) == [.rstStream(1, Self.cancel)])
    }

    @Test("the rest of an answered request is not waited for")
    func answered() throws {
        let client = try FrameClient.greeted()
        let body = Frame(kind: .data, stream: 1, payload: Array(repeating: 32, count: 6000)).bytes
        #expect(try client.send(FrameClient.open(1), body).map(\.kind) == [.headers])
        #expect(try Self.advance(Self.timeout + .seconds(15), client) == [.rstStream(1, .noError)])
    }

    @Test("a complete request that waits for its answer has no time limit")
    func complete() throws {
        let client = try FrameClient.greeted(answering: [.withheld, .stalled])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(try Self.advance(.hours(2), client).isEmpty)
        #expect(try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted()))).map(\.kind) == [.headers])
    }

    // MARK: Bytes

    private static func client(_ loop: WireLoop? = nil) throws -> FrameClient {
        let responder = ScriptedResponder()
        return try FrameClient.greeted(responder, loop: loop) {
            $0.unfinishedBytesMax = 10_000
            $0.unfinishedBytesBeforeTrustMax = 25_000
        }
    }

    /// Opens streams and sends most of a body on each until one is refused; returns how many were accepted.
    private static func fill(_ client: FrameClient, from first: UInt32 = 1) throws -> Int {
        let body = Array(repeating: UInt8(32), count: 1000)
        for stream in stride(from: first, to: first + 100, by: 2) {
            let frames = try client.send(
                FrameClient.open(stream), Frame(kind: .data, stream: stream, payload: body).bytes)
            if frames == [.rstStream(stream, .refusedStream)] { return Int(stream - first) / 2 }
        }
        Issue.record("no stream was refused")
        return 0
    }

    @Test("a connection holds a limited number of their bytes, and more once some have ended")
    func bytes() throws {
        let client = try Self.client()
        // Each counts its body, its fields and a fixed amount.
        #expect(try Self.fill(client) == 6)
        #expect(client.responder.requests.isEmpty)
        #expect(try client.send(Self.end(1), Self.end(3)).map(\.stream) == [1, 3])
        #expect(try Self.fill(client, from: 101) == 2)
        // A complete request doesn't count.
        #expect(try client.send(FrameClient.push(201)).map(\.stream) == [201])
    }

    @Test("of many requests in one read the newest are refused")
    func newest() throws {
        let client = try Self.client()
        let body = Array(repeating: UInt8(32), count: 1000)
        let streams: [UInt32] = [1, 3, 5, 7, 9, 11, 13, 15]
        let requests = streams.map { FrameClient.open($0) + Frame(kind: .data, stream: $0, payload: body).bytes }
        let frames = try client.send(Array(requests.joined()))
        #expect(frames == [.rstStream(15, .refusedStream), .rstStream(13, .refusedStream)])
        #expect(try client.send(Array(streams.map { Self.end($0) }.joined())).map(\.stream) == [1, 3, 5, 7, 9, 11])
    }

    @Test("connections without an accepted request share a limit, and release their bytes")
    func beforeTrust() throws {
        let loop = try WireLoop(TestIdentity.identity)
        let trusted = try Self.client(loop)
        try trusted.send(FrameClient.push(1))
        let clients = try (0..<3).map { _ in try Self.client(loop) }
        let filled = try clients.map { try Self.fill($0) }
        #expect(filled == [6, 6, 4])
        let late = try Self.client(loop)
        #expect(try late.send(FrameClient.push(1)).map(\.kind) == [.headers])
        #expect(try Self.fill(trusted, from: 3) == 6)
        for client in clients {
            try client.channel.close().wait()
            client.channel.embeddedEventLoop.run()
        }
        let refilled = try Self.fill(Self.client(loop))
        #expect(refilled == 6)
    }
}
