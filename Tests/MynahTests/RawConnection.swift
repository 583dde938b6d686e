import MynahWire
import NIOCore
import NIOPosix

/// A connection on which a test reads and writes text as it is.
struct RawConnection {
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var text = ""
        private var awaited: (end: String, promise: EventLoopPromise<String>)?
        private var hasEnded = false

        func wait(for end: String, _ promise: EventLoopPromise<String>) {
            awaited = (end, promise)
            look()
            if hasEnded { giveUp() }
        }

        private func giveUp() {
            awaited?.promise.fail(ChannelError.eof)
            awaited = nil
        }

        private func look() {
            guard let awaited, text.contains(awaited.end) else { return }
            self.awaited = nil
            awaited.promise.succeed(text)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            look()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelInactive(context: ChannelHandlerContext) {
            hasEnded = true
            giveUp()
        }
    }

    private let channel: any Channel
    // Kept, so that text that arrived before the server closed can be read afterwards.
    private let reader: NIOLoopBound<Reader>

    init(port: Int) async throws {
        (channel, reader) = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let reader = Reader()
                    try channel.pipeline.syncOperations.addHandler(reader)
                    return (channel, NIOLoopBound(reader, eventLoop: channel.eventLoop))
                }
            }
    }

    func write(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Everything received, once it contains `end`.
    func read(until end: String) async throws -> String {
        let promise = channel.eventLoop.makePromise(of: String.self)
        let reader = reader
        channel.eventLoop.execute { reader.value.wait(for: end, promise) }
        return try await promise.futureResult.get()
    }

    /// Closes by a TCP reset.
    func reset() async throws {
        try await channel.eventLoop.flatSubmit { [channel] in
            let promise = channel.eventLoop.makePromise(of: Void.self)
            channel.resetAndClose(promise)
            return promise.futureResult
        }.get()
    }

    func closed() async throws { try await channel.closeFuture.get() }

    func close() async throws {
        if channel.isActive { try await channel.close() }
    }
}
