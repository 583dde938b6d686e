import NIOCore
import NIOPosix

/// A server that answers the first request by the same bytes again and again, as fast as they are read.
enum EndlessServer {
    /// What is sent again and again.
    enum Bytes {
        case interimAnswers
        case fields
        /// Chunks of a body, large so that their number doesn't matter.
        case chunks
        case none

        fileprivate var text: String {
            switch self {
            case .interimAnswers: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000)
            case .fields: String(repeating: "a: b\r\n", count: 1000)
            case .chunks: "100000\r\n" + String(repeating: "x", count: 0x100000) + "\r\n"
            case .none: ""
            }
        }
    }

    /// Runs `body` with the port of a server that sends `first`, then `bytes` without end; with none it is silent.
    static func run<Result>(
        _ first: String = "", then bytes: Bytes, _ body: (Int) async throws -> Result
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
        private var hasBegun = false

        init(_ first: String, _ bytes: Bytes) {
            self.first = ByteBuffer(string: first)
            self.bytes = ByteBuffer(string: bytes.text)
        }

        // Not before the request: an answer to none is another fault.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasBegun else { return }
            hasBegun = true
            context.writeAndFlush(wrapOutboundOut(first), promise: nil)
            fill(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) { fill(context) }

        private func fill(_ context: ChannelHandlerContext) {
            guard hasBegun, bytes.readableBytes > 0 else { return }
            while context.channel.isActive, context.channel.isWritable {
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
