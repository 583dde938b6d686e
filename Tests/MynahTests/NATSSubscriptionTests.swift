import Glibc
import MynahStore
import MynahTestSupport
import NIOCore
import NIOPosix
import Testing

private enum Library {
    /// Whether libnats is there: if so, it is the port that nobody listens on which is wrong.
    static var isThere: Bool {
        do throws(LogProblem) {
            _ = try NATSConnection(EngineAddress(servers: ["nats://127.0.0.1:1"]), client: "test")
            return true
        } catch {
            return error.file != "libnats"
        }
    }
}

/// What a connection to an engine keeps of its subscriptions.
@Suite("Subscriptions of NATS", .enabled(if: Library.isThere, "libnats is missing"))
struct NATSSubscriptionTests {
    /// Says when it is released.
    private final class Witness: Sendable {
        let released: AsyncStream<Void>.Continuation
        init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
        deinit { released.finish() }
    }

    @Test(
        "one that has ended lets go of what receives its messages, after the last of them",
        .timeLimit(.minutes(Patience.minutes)))
    func ended() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FakeEngine()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let connection = try await NIOSingletons.posixBlockingThreadPool.runIfActive {
            try NATSConnection(EngineAddress(servers: ["nats://127.0.0.1:\(port)"]), client: "test")
        }
        // Each like a consumer of a cluster that is replaced.
        for _ in 0..<3 {
            let (came, comes) = AsyncStream.makeStream(of: Void.self)
            let (released, end) = AsyncStream.makeStream(of: Void.self)
            let subscription = try NATSSubscriptionTests.subscribe(connection, Witness(end), comes)
            // The engine sends one at once.
            for await _ in came { break }
            subscription.end()
            for await _ in released {}
        }
        connection.close()
        try await channel.close()
    }

    @Test(
        "a message has left when publishing it returns, and doesn't wait for others",
        .timeLimit(.minutes(Patience.minutes)))
    func sentAtOnce() async throws {
        let engine = try PlainEngine()
        let pool = NIOSingletons.posixBlockingThreadPool
        async let accepted = pool.runIfActive { engine.accept() }
        let connection = try await pool.runIfActive {
            try NATSConnection(EngineAddress(servers: ["nats://127.0.0.1:\(engine.port)"]), client: "test")
        }
        let socket = try await accepted
        defer { for descriptor in [socket, engine.listener] { close(descriptor) } }
        let count = 100
        var text = ""
        // On loopback what was sent is there for the reader when the call of the sender returns; other load may delay some.
        let atOnce = try (0..<count).count { number in
            try connection.publish(Array("message \(number)".utf8), to: "a")
            while let part = PlainEngine.read(socket, flags: Int32(MSG_DONTWAIT)) { text += part }
            return text.contains("message \(number)\r\n")
        }
        #expect(atOnce > count / 2)
        connection.close()
    }

    /// An engine whose socket the test looks at itself.
    private struct PlainEngine {
        let listener: Int32
        let port: Int

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let isBound = try SocketAddress(ipAddress: "127.0.0.1", port: 0).withSockAddr { address, size in
                bind(descriptor, address, socklen_t(size)) == 0 && listen(descriptor, 1) == 0
            }
            try #require(isBound)
            let bound = try Self.portBytes(of: descriptor)
            listener = descriptor
            port = Int(bound.0) << 8 | Int(bound.1)
        }

        /// The two bytes of a bound socket's port, which stand behind those of the address family.
        private static func portBytes(of descriptor: Int32) throws -> (UInt8, UInt8) {
            try withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { bytes in
                var size = socklen_t(bytes.count)
                let address = bytes.assumingMemoryBound(to: sockaddr.self)
                try #require(getsockname(descriptor, address.baseAddress, &size) == 0)
                return (bytes[2], bytes[3])
            }
        }

        /// Accepts a client, and answers what it asks until it is connected.
        func accept() -> Int32 {
            let connection = Glibc.accept(listener, nil, nil)
            let facts = #"{"server_id":"a","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}"#
            PlainEngine.write("INFO \(facts)\r\n", to: connection)
            var text = ""
            while !text.contains("PING\r\n"), let part = PlainEngine.read(connection, flags: 0) { text += part }
            PlainEngine.write("PONG\r\n", to: connection)
            return connection
        }

        /// What has come; `nil` at the end, and without waiting if nothing has.
        static func read(_ connection: Int32, flags: Int32) -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &bytes, bytes.count, flags)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        }

        private static func write(_ text: String, to connection: Int32) {
            _ = send(connection, text, text.utf8.count, 0)
        }
    }

    private static func subscribe(
        _ connection: NATSConnection, _ witness: Witness, _ comes: AsyncStream<Void>.Continuation
    ) throws -> NATSSubscription {
        try connection.subscribe(to: "a") { [witness] _ in
            withExtendedLifetime(witness) { _ = comes.yield() }
        }
    }

    /// As much of a nats-server as a connection and a subscription need: it sends each subscription one message.
    private final class FakeEngine: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var rest = ""

        func channelActive(context: ChannelHandlerContext) {
            send(
                #"INFO {"server_id":"a","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}"# + "\r\n",
                context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            rest += String(buffer: unwrapInboundIn(data))
            while let end = rest.firstRange(of: "\r\n") {
                let words = rest[..<end.lowerBound].split(separator: " ")
                rest = String(rest[end.upperBound...])
                switch words.first {
                case "PING": send("PONG\r\n", context)
                case "SUB": send("MSG \(words[1]) \(words[words.count - 1]) 2\r\nhi\r\n", context)
                default: break
                }
            }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}
