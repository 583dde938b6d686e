import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

/// Faults on an HTTP/1.1 connection, in memory.
struct HTTP1FaultTests {
    /// A client's end of a connection to the cleartext port.
    private final class Client {
        let channel = EmbeddedChannel()
        let responder = ScriptedResponder()
        private(set) var received = ""

        init(_ answers: PushResponse...) throws {
            responder.answers = answers
            let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
            let handler = CleartextHandler(
                loop: try WireLoop(TestIdentity.identity), responder: responder, limits: limits)
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func send(_ count: Int = 1, method: String = "POST") throws {
            for _ in 0..<count {
                let request = "\(method) /3/device/00 HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}"
                try channel.writeInbound(ByteBuffer(string: request))
            }
            try read()
        }

        func command(_ command: ConnectionCommand) throws {
            channel.triggerUserOutboundEvent(command, promise: nil)
            try read()
        }

        func advance(_ time: TimeAmount) throws {
            channel.embeddedEventLoop.advanceTime(by: time)
            try read()
        }

        func read() throws {
            while let piece = try channel.readOutbound(as: IOData.self) {
                guard case .byteBuffer(let bytes) = piece else { continue }
                received += String(buffer: bytes)
            }
        }

        deinit {
            // `finish` waits for the close, which a fault may delay; an abort isn't delayed.
            channel.triggerUserOutboundEvent(ConnectionCommand.abort, promise: nil)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    /// Counts what would be reads from the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private static let accepted = ScriptedResponder.accepted()
    private static let fullReply =
        "HTTP/1.1 200 OK\r\napns-id: 00000000-0000-0000-0000-000000000001\r\ncontent-length: 0\r\n\r\n"

    private static func goAway(_ close: WireGoAway.Close) -> WireFault {
        var goAway = WireGoAway()
        goAway.close = close
        return .goAway(goAway)
    }

    @Test(
        "a fault without a meaning in HTTP/1.1 does nothing",
        arguments: [WireFault.settings(WireSettings()), .withholdWindow, .ignorePing])
    func replies(_ act: WireFault) throws {
        let client = try Client(.act(act, Self.accepted))
        try client.send(2)
        #expect(client.received == Self.fullReply + Self.fullReply)
        #expect(client.channel.isActive)
    }

    @Test(
        "a fault of a stream or a frame ends the connection",
        arguments: [
            WireFault.resetStream(.internalError, afterHeaders: false), .malformedFrame, .oversizedFrame,
            HTTP1FaultTests.goAway(.atOnce), .close(.fin, afterBytes: nil), .close(.rst, afterBytes: nil),
        ])
    func ends(_ act: WireFault) throws {
        let client = try Client(.act(act, nil))
        try client.send()
        try client.advance(.seconds(1))
        #expect(client.received.isEmpty)
        #expect(!client.channel.isActive)
        #expect(client.responder.endCount == 1)
    }

    @Test("the answer to HEAD has the length of the content, and no content")
    func head() throws {
        let client = try Client(.reply(ScriptedResponder.refused), .reply(Self.accepted))
        try client.send(method: "HEAD")
        #expect(client.received.hasPrefix("HTTP/1.1 400 "))
        #expect(client.received.contains("content-length: \(ScriptedResponder.refused.body.count)\r\n"))
        #expect(client.received.hasSuffix("\r\n\r\n"))
        let head = client.received
        try client.send()
        #expect(client.received == head + Self.fullReply)
    }

    @Test("a close follows the reply that comes with it")
    func replyAndEnd() throws {
        let client = try Client(.act(.close(.fin, afterBytes: nil), Self.accepted))
        try client.send()
        #expect(client.received == Self.fullReply)
        try client.advance(.seconds(1))
        #expect(!client.channel.isActive)
    }

    @Test("a reply is cut after the given byte")
    func cut() throws {
        let client = try Client(.act(.close(.rst, afterBytes: 20), Self.accepted))
        try client.send()
        #expect(client.received == String(decoding: Self.fullReply.utf8.prefix(20), as: UTF8.self))
        #expect(!client.channel.isActive)
    }

    @Test("GOAWAY becomes connection: close")
    func goAwayCloses() throws {
        let client = try Client(.act(Self.goAway(.afterStreams), Self.accepted))
        try client.send()
        #expect(client.received.contains("connection: close\r\n"))
        #expect(!client.channel.isActive)
    }

    @Test("after half-open, or GOAWAY without a close, the connection stays open and answers nothing")
    func silent() throws {
        for act in [WireFault.close(.halfOpen, afterBytes: nil), Self.goAway(.never)] {
            let client = try Client(.act(act, nil))
            try client.send(3)
            #expect(client.received.isEmpty)
            #expect(client.responder.requests.count == 1)
            #expect(client.channel.isActive)
            try client.command(.shutDown(reason: .shutdown, grace: .seconds(2)))
            #expect(!client.channel.isActive)
            #expect(client.responder.endCount == 1)
        }
    }

    @Test("a truncated reply is a head that announces a body")
    func truncated() throws {
        let client = try Client(.act(.truncate, Self.accepted))
        try client.send()
        #expect(client.received == Self.fullReply.replacing("content-length: 0", with: "content-length: 1"))
        #expect(client.channel.isActive)
        let reset = try Client(.act(.resetStream(HTTP2ErrorCode(rawValue: 8), afterHeaders: true), Self.accepted))
        try reset.send()
        #expect(reset.received.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!reset.channel.isActive)
    }

    @Test("a withheld answer comes later, and the requests after it wait")
    func withheld() throws {
        let client = try Client(.withheld)
        try client.send(2)
        #expect(client.received.isEmpty)
        #expect(client.responder.requests == [0])
        try client.command(.answer(stream: 0, .reply(Self.accepted)))
        #expect(client.received == Self.fullReply + Self.fullReply)
        // This answer is not waited for.
        try client.command(.answer(stream: 0, .reply(Self.accepted)))
        #expect(client.received == Self.fullReply + Self.fullReply)
    }

    @Test("a half-closed client gets a withheld answer, and is otherwise disconnected")
    func halfClosed() throws {
        var answered = 0
        for answer in [PushResponse.withheld, .stalled] {
            let client = try Client(answer)
            try client.send()
            guard client.channel.allowRemoteHalfClosure else { continue }
            answered += 1
            client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(client.channel.isActive)
            try client.command(.answer(stream: 0, .reply(Self.accepted)))
            #expect(client.received.hasPrefix("HTTP/1.1 200 OK"))
            #expect(client.received.contains("connection: close\r\n"))
            #expect(!client.channel.isActive)
        }
        #expect(answered == 1)
    }

    @Test("a request that takes too long is answered 408", arguments: [30, 90])
    func slow(byteCount: Int) throws {
        let client = try Client()
        try client.send()
        let request =
            "POST /3/device/00 HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n" + String(repeating: "x", count: 99)
        for byte in request.utf8.prefix(byteCount) {
            try client.channel.writeInbound(ByteBuffer(bytes: [byte]))
            try client.advance(.milliseconds(500))
        }
        #expect(client.received == Self.fullReply)
        try client.advance(.seconds(75))
        // NIO's codec writes more if it is closed within a request, which a socket would no longer accept.
        let end = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        #expect(client.received.hasPrefix(Self.fullReply + end))
        #expect(!client.channel.isActive)
        #expect(client.responder.problems == [.requestsTimedOut(1)])
        #expect(client.responder.requests == [0])
    }

    @Test("a kept-alive connection and a request that waits for its answer have no time limit")
    func unhurried() throws {
        let client = try Client(.reply(Self.accepted), .stalled)
        for _ in 0..<2 {
            try client.send()
            try client.advance(.hours(1))
        }
        #expect(client.received == Self.fullReply)
        #expect(client.channel.isActive)
    }

    @Test("nothing is read while the client does not read")
    func backPressure() throws {
        let client = try Client()
        let reads = ReadCounter()
        try client.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        try client.send()
        client.channel.isWritable = false
        client.channel.pipeline.fireChannelWritabilityChanged()
        let count = reads.count
        client.channel.read()
        #expect(reads.count == count)
        client.channel.isWritable = true
        client.channel.pipeline.fireChannelWritabilityChanged()
        #expect(reads.count == count + 1)
    }

    @Test("a request that is too large is judged once, although its answer is withheld")
    func tooLarge() throws {
        let client = try Client(.withheld)
        let head = "POST /3/device/00 HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\n\r\n"
        try client.channel.writeInbound(ByteBuffer(string: head + String(repeating: "x", count: 6000)))
        try client.channel.writeInbound(ByteBuffer(string: String(repeating: "x", count: 4000)))
        #expect(client.responder.requests.count == 1)
        try client.command(.answer(stream: 0, .reply(Self.accepted)))
        #expect(client.received.contains("connection: close\r\n"))
        #expect(!client.channel.isActive)
    }

    @Test("a request that is never answered does not prevent the server's shutdown")
    func shutDown() throws {
        let client = try Client(.withheld)
        try client.send()
        try client.command(.shutDown(reason: .shutdown, grace: .seconds(2)))
        #expect(client.channel.isActive)
        try client.advance(.seconds(2))
        #expect(!client.channel.isActive)
        #expect(client.responder.endCount == 1)
    }

    @Test("the fields of a rule's reply are sent as they are")
    func fields() throws {
        let reply = Reply(
            status: 502, id: NotificationID(generated: 1), fields: [HTTPField("content-type", "text/html")],
            body: Array("<p>".utf8))
        let client = try Client(.reply(reply))
        try client.send()
        #expect(
            client.received
                == "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 3\r\n\r\n<p>")
    }
}
