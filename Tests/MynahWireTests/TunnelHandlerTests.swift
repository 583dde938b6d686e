import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

/// The two ends of a tunnel in memory, on a clock of their own.
@Suite("A tunnel")
struct TunnelHandlerTests {
    /// Stands for a half-closed socket, which an embedded channel can't be.
    private final class HalfCloser: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            promise?.succeed()
        }
    }

    private struct Tunnel {
        let loop = EmbeddedEventLoop()
        let client: EmbeddedChannel
        let target: EmbeddedChannel

        init() throws {
            let ends = (TunnelHandler(silenceMax: .seconds(30)), TunnelHandler(silenceMax: .seconds(30)))
            client = EmbeddedChannel(handlers: [HalfCloser(), ends.0], loop: loop)
            target = EmbeddedChannel(handlers: [HalfCloser(), ends.1], loop: loop)
            for channel in [client, target] {
                channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            }
            ends.0.join(ends.1)
        }

        var isOpen: [Bool] { [client.isActive, target.isActive] }
    }

    @Test("a half-closed tunnel stays open only while the other side sends")
    func halfClosed() throws {
        let tunnel = try Tunnel()
        tunnel.client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        for _ in 1...5 {
            tunnel.loop.advanceTime(by: .seconds(20))
            try tunnel.target.writeInbound(ByteBuffer(string: "still here"))
            #expect(tunnel.isOpen == [true, true])
        }
        tunnel.loop.advanceTime(by: .seconds(60))
        #expect(tunnel.isOpen == [false, false])
    }

    @Test("a tunnel with both sides open has no limit on silence")
    func open() throws {
        let tunnel = try Tunnel()
        tunnel.loop.advanceTime(by: .hours(24))
        #expect(tunnel.isOpen == [true, true])
        _ = try tunnel.client.finish(acceptAlreadyClosed: true)
        _ = try tunnel.target.finish(acceptAlreadyClosed: true)
    }
}
