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
