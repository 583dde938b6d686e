import APNsRules
import Glibc
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("Turns of a loop's connections")
struct TurnTests {
    /// A client whose connection answers one request per turn.
    private static func client(_ loop: WireLoop? = nil, _ responder: ScriptedResponder = ScriptedResponder()) throws
        -> FrameClient
    {
        try FrameClient.greeted(responder, loop: loop) { $0.turn = .zero }
    }

    private static func pushes(_ streams: UInt32...) -> [UInt8] { Array(streams.map { FrameClient.push($0) }.joined()) }

    private static func nextTurn(_ client: FrameClient) throws -> [UInt32] {
        client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        return try client.received().map(\.stream)
    }

    @Test("requests that come together are answered in order, some in each turn")
    func parts() throws {
        let client = try Self.client()
        #expect(try client.send(Self.pushes(1, 3, 5)).map(\.stream) == [1])
        #expect(client.responder.requests == [1])
        #expect(try Self.nextTurn(client) == [3, 5])
        #expect(client.responder.requests == [1, 3, 5])
        #expect(try Self.nextTurn(client) == [])
        #expect(try client.send(FrameClient.push(7)).map(\.stream) == [7])
    }

    @Test("requests that come meanwhile are answered after those that wait")
    func more() throws {
        let client = try Self.client()
        try client.send(Self.pushes(1, 3))
        #expect(try client.send(Self.pushes(5)).isEmpty)
        while client.responder.requests.count < 3 { _ = try Self.nextTurn(client) }
        #expect(client.responder.requests == [1, 3, 5])
    }

    @Test("a busy connection answers one request and reads nothing until it is busy no longer")
    func busy() throws {
        let client = try Self.client()
        let counter = ReadCounter()
        try client.channel.pipeline.syncOperations.addHandler(counter, position: .first)
        client.responder.isBusy = true
        #expect(try client.send(Self.pushes(1, 3, 5)).map(\.stream) == [1])
        client.channel.read()
        for _ in 0..<10 { #expect(try Self.nextTurn(client) == []) }
        #expect(counter.count == 0)
        client.responder.isBusy = false
        while client.responder.requests.count < 3 { _ = try Self.nextTurn(client) }
        _ = try Self.nextTurn(client)
        #expect(client.responder.requests == [1, 3, 5])
        #expect(counter.count == 1)
    }

    @Test("a busy connection whose peer has ended its side answers all of its requests")
    func busyAtTheEnd() throws {
        let client = try Self.client()
        client.responder.isBusy = true
        try client.send(Self.pushes(1, 3, 5))
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(client.responder.requests == [1, 3, 5])
    }

    @Test("requests wait while the peer has no room for the replies to those before, and go on when it makes some")
    func noRoom() throws {
        let body = [UInt8](repeating: 0x61, count: 40_000)
        let responder = ScriptedResponder()
        responder.answers = (0..<9).map { _ in
            .reply(Reply(channels: 200, requestID: NotificationID(generated: 1), body: body))
        }
        // SETTINGS_INITIAL_WINDOW_SIZE 0 (RFC 9113 §6.5.2).
        let client = try FrameClient.greeted(responder, settings: [0, 4, 0, 0, 0, 0]) {
            $0.waitingReplyBytesMax = 100_000
        }
        try client.send(Self.pushes(1, 3, 5, 7, 9, 11, 13, 15, 17))
        #expect(responder.requests == [1, 3, 5])
        // The connection's window is 65,535 bytes, which are a reply and a half.
        func grant(_ stream: UInt32) -> [UInt8] {
            Frame(kind: .windowUpdate, stream: stream, payload: [0, 0, 0x9C, 0x40]).bytes
        }
        var received = 0
        for stream in stride(from: UInt32(1), through: 17, by: 2) {
            received += try client.send(grant(0), grant(stream)).filter { $0.kind == .data }.map(\.payload.count)
                .reduce(0, +)
            client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            received += try client.received().filter { $0.kind == .data }.map(\.payload.count).reduce(0, +)
            #expect(responder.requests.count <= Int(stream / 2) + 4)
        }
        #expect(responder.requests.count == 9)
        #expect(received == 9 * body.count)
    }

    @Test("another connection of the loop is answered before the rest, and the connections take turns")
    func others() throws {
        let loop = try WireLoop(TestIdentity.identity)
        let first = try Self.client(loop)
        let second = try Self.client(loop)
        try first.send(Self.pushes(1, 3, 5))
        #expect(try second.send(Self.pushes(1, 3)).map(\.stream) == [1])
        #expect(first.responder.requests == [1])
    }

    @Test("nothing is read while requests wait, and all is read after them")
    func reads() throws {
        let client = try Self.client()
        let counter = ReadCounter()
        try client.channel.pipeline.syncOperations.addHandler(counter, position: .first)
        try client.send(Self.pushes(1, 3))
        client.channel.read()
        #expect(counter.count == 0)
        while client.responder.requests.count < 2 { _ = try Self.nextTurn(client) }
        _ = try Self.nextTurn(client)
        #expect(counter.count == 1)
        client.channel.read()
        #expect(counter.count == 2)
    }

    @Test(
        "all is judged that a peer sent before it ended its side or reset the connection", arguments: [true, false])
    func ended(isReset: Bool) throws {
        let client = try Self.client()
        try client.send(Self.pushes(1, 3, 5))
        if isReset {
            client.channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read"))
        } else {
            client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(try client.received().map(\.stream) == [3, 5])
        }
        #expect(client.responder.requests == [1, 3, 5])
    }

    @Test("requests before a violation are answered, and then the connection ends")
    func violation() throws {
        let client = try Self.client()
        try client.send(Self.pushes(1, 3))
        // DATA on stream 0.
        let frames = try client.send(Frame(kind: .data, payload: [1]).bytes)
        #expect(client.responder.requests == [1, 3])
        #expect(frames.contains { $0.kind == .goAway })
    }

    @Test("a connection that is closed while its requests wait takes no other turn")
    func closed() throws {
        let client = try Self.client()
        try client.send(Self.pushes(1, 3))
        _ = try client.tell(.abort)
        #expect(try Self.nextTurn(client) == [])
        #expect(client.responder.requests == [1])
        #expect(client.responder.endCount == 1)
    }
}

/// Counts how often the socket would be read.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
