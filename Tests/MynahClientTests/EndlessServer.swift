import NIOCore
import NIOPosix

/// A server that sends the same bytes again and again to whoever connects, as fast as they are read.
enum EndlessServer {
    /// Runs `body` with the port of a server that sends `first`, then `bytes` without end; with no `bytes` it is silent.
    static func run<Result>(
        _ first: String = "", then bytes: String, _ body: (Int) async throws -> Result
    ) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(first, bytes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(channel.localAddress?.port ?? 0)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let first: ByteBuffer
        private let bytes: ByteBuffer

        init(_ first: String, _ bytes: String) {
            self.first = ByteBuffer(string: first)
            // In pieces that take few writes.
            self.bytes = ByteBuffer(string: String(repeating: bytes, count: 1000))
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(first), promise: nil)
            fill(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) { fill(context) }

        private func fill(_ context: ChannelHandlerContext) {
            guard bytes.readableBytes > 0 else { return }
            while context.channel.isActive, context.channel.isWritable {
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
