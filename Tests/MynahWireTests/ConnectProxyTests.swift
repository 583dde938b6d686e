import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import MynahWire

/// A connection to the proxy in memory, on a clock of its own; tunnels need sockets and are tested with a server.
struct ConnectProxyTests {
    /// Leads every target to the server, except for hosts named `elsewhere`.
    private final class Owner: ProxyOwner {
        let accepted = Mutex<[ConnectTarget]>([])
        let refusals = Mutex<[ProxyRefusal]>([])

        func destination(
            of target: ConnectTarget, for channel: any Channel
        ) throws(ProxyRefusal) -> ProxyDestination {
            guard target.host != "elsewhere" else { throw .otherTarget(target, bound: "0.0.0.0:1") }
            return .server
        }

        func accept(_ channel: any Channel, for target: ConnectTarget) {
            accepted.withLock { $0.append(target) }
            // The only error is that the channel has ended.
            try? channel.pipeline.syncOperations.addHandler(Server())
        }

        func tunnelEnded() {}

        func refused(_ refusal: ProxyRefusal, _ channel: any Channel) { refusals.withLock { $0.append(refusal) } }
    }

    /// Stands for the handlers of the server.
    private final class Server: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var heard = ""
        var reads = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard += String(buffer: unwrapInboundIn(data))
        }

        func channelReadComplete(context: ChannelHandlerContext) { reads += 1 }
    }

    /// Stands for a half-closed socket, which an embedded channel can't be.
    private final class HalfCloser: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        var hasEnded = false

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            hasEnded = true
            promise?.succeed()
        }
    }

    private final class World {
        let owner = Owner()
        let channel = EmbeddedChannel()
        let halfCloser = HalfCloser()

        init() throws {
            try channel.pipeline.syncOperations.addHandlers([
                halfCloser, ConnectProxy(owner: owner, limits: ProxyLimits()),
            ])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func send(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(string: text))
        }

        /// What has been answered since the last call.
        func answer() throws -> String {
            var text = ""
            while let piece = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: piece) }
            return text
        }

        func server() throws -> Server { try channel.pipeline.syncOperations.handler(type: Server.self) }

        deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    private static let connect = "CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n"
    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    @Test("a target that leads to the server is answered 200, and the server's handlers get all that follows")
    func handOver() throws {
        let world = try World()
        try world.send(Self.connect)
        #expect(try world.answer() == Self.established)
        #expect(world.owner.accepted.withLock { $0 } == [ConnectTarget(host: "api.push.apple.com", port: 443)])
        try world.send("hello")
        #expect(try world.server().heard == "hello")
        #expect(throws: (any Error).self) {
            try world.channel.pipeline.syncOperations.handler(type: ConnectProxy.self)
        }
    }

    @Test("bytes in the same packet as the CONNECT are the first that the server's handlers get")
    func earlyBytes() throws {
        let world = try World()
        try world.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\nHo")
        #expect(try world.answer() == "")
        try world.send("st: x\r\n\r\nearly ")
        try world.send("and later")
        #expect(try world.answer() == Self.established)
        #expect(try world.server().heard == "early and later")
    }

    @Test("a head that does not come in time is answered 408, and the connection ends")
    func slowHead() throws {
        let world = try World()
        try world.send("CONNECT api.push.apple.com:443 HT")
        world.channel.embeddedEventLoop.advanceTime(by: ProxyLimits().headTimeout - .milliseconds(1))
        #expect(try world.answer() == "")
        world.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try world.answer().hasPrefix("HTTP/1.1 408 "))
        #expect(world.halfCloser.hasEnded)
        #expect(world.channel.isActive)
        world.channel.embeddedEventLoop.advanceTime(by: ProxyLimits().lingerTimeout)
        #expect(!world.channel.isActive)
    }

    @Test("there is no time limit after a complete head")
    func noLimitLater() throws {
        let world = try World()
        try world.send(Self.connect)
        world.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(world.channel.isActive)
    }

    @Test("a forbidden target is refused by its name, and the bytes after it are not another request")
    func refused() throws {
        let world = try World()
        try world.send("CONNECT elsewhere:443 HTTP/1.1\r\n\r\n" + Self.connect)
        try world.send(Self.connect)
        let answer = try world.answer()
        #expect(
            answer.hasPrefix(
                "HTTP/1.1 403 Forbidden (the proxy on 0.0.0.0:1 leads only to APNs, not to elsewhere:443)"))
        #expect(!answer.contains(Self.established))
        #expect(world.owner.refusals.withLock { $0.map(\.status) } == [403])
        #expect(world.owner.accepted.withLock { $0 }.isEmpty)
    }

    @Test("a client that keeps sending after a refusal is cut off")
    func cutOff() throws {
        let world = try World()
        try world.send("nonsense\r\n\r\n")
        let piece = String(repeating: "x", count: 65_536)
        var pieces = 0
        while world.channel.isActive, pieces < 100 {
            try world.send(piece)
            pieces += 1
        }
        #expect(pieces * piece.utf8.count > ProxyLimits().lingerBytesMax)
        #expect(pieces * piece.utf8.count <= ProxyLimits().lingerBytesMax + piece.utf8.count)
    }

    @Test("a client that half-closes before the end of its request is refused")
    func endsEarly() throws {
        let world = try World()
        try world.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\n")
        world.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try world.answer().contains("ended before its empty line"))
    }

    @Test("a connection without a request ends with the server")
    func stop() throws {
        let world = try World()
        world.channel.pipeline.triggerUserOutboundEvent(ProxyCommand.stop, promise: nil)
        #expect(!world.channel.isActive)
    }
}
