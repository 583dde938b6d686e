import APNsRules
import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

/// Transport faults on a connection in memory, with a clock of its own.
struct TransportHandlerTests {
    /// Stands for the handlers above.
    private final class Speaker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var heard = 0
        var hasEnded = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard += unwrapInboundIn(data).readableBytes }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is TransportHandler.Ended { hasEnded = true }
        }
    }

    private final class World {
        let channel = EmbeddedChannel()
        let speaker = Speaker()
        let transport: TransportHandler

        init(_ acts: WireFault...) throws {
            let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
            transport = TransportHandler(limits: limits)
            try channel.pipeline.syncOperations.addHandlers([transport, speaker])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            for act in acts { transport.perform(act) }
        }

        func write(_ count: Int) {
            channel.writeAndFlush(ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0) }), promise: nil)
        }

        /// The pieces sent since the last call.
        func sent() throws -> [[UInt8]] {
            var pieces: [[UInt8]] = []
            while let piece = try channel.readOutbound(as: IOData.self) {
                guard case .byteBuffer(let bytes) = piece, bytes.readableBytes > 0 else { continue }
                pieces.append(Array(bytes.readableBytesView))
            }
            return pieces
        }

        func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

        deinit {
            // `finish` waits for the close, which the transport may delay.
            transport.release()
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test("the output is cut after the given number of bytes, even within a piece", arguments: [1, 9, 10, 11, 25])
    func cut(_ count: Int) throws {
        let world = try World(.close(.fin, afterBytes: count))
        for _ in 0..<3 { world.write(10) }
        #expect(try world.sent().flatMap(\.self) == (0..<count).map { UInt8($0 % 10) })
        #expect(world.speaker.hasEnded)
        world.advance(.seconds(1))
        #expect(!world.channel.isActive)
    }

    @Test(
        "a close without a byte count comes after earlier writes and before later ones",
        arguments: [WireClose.How.fin, .rst])
    func atOnce(_ how: WireClose.How) throws {
        let world = try World()
        world.write(10)
        world.transport.perform(.close(how, afterBytes: nil))
        world.write(10)
        #expect(try world.sent().flatMap(\.self).count == 10)
        #expect(world.speaker.hasEnded)
        world.advance(.seconds(1))
        #expect(!world.channel.isActive)
    }

    @Test("a half-open connection accepts everything, sends nothing, and stays open")
    func halfOpen() throws {
        let world = try World(.close(.halfOpen, afterBytes: 5))
        try world.channel.writeInbound(ByteBuffer(string: "1"))
        #expect(world.speaker.heard == 1)
        let written = world.channel.eventLoop.makePromise(of: Void.self)
        var isWritten = false
        written.futureResult.assumeIsolated().whenSuccess { isWritten = true }
        world.channel.writeAndFlush(ByteBuffer(repeating: 1, count: 10), promise: written)
        #expect(world.transport.isSilent)
        try world.channel.writeInbound(ByteBuffer(string: "2"))
        #expect(world.speaker.heard == 1)
        #expect(!world.speaker.hasEnded)
        // The handlers above believe that it was sent.
        #expect(isWritten)
        #expect(try world.sent().flatMap(\.self).count == 5)
        // A handler that closes the connection does not end it.
        world.channel.close(promise: nil)
        world.advance(.hours(23))
        #expect(world.channel.isActive)
        world.advance(.hours(1))
        #expect(!world.channel.isActive)
    }

    @Test("throttled bytes keep their pace and their order", arguments: [(10, 1), (10, 3), (1000, 7)])
    func throttle(_ rate: Int, _ chunk: Int) throws {
        let world = try World(.throttle(bytesPerSecond: rate, chunk: chunk))
        let count = rate * 2
        world.write(count / 2)
        world.write(count - count / 2)
        var received: [UInt8] = []
        for tenth in 0..<40 {
            if tenth > 0 { world.advance(.milliseconds(100)) }
            for piece in try world.sent() {
                #expect(piece.count <= chunk)
                received += piece
            }
            #expect(received.count <= rate * tenth / 10 + chunk)
            #expect(received.count >= min(count, rate * tenth / 10))
        }
        let whole = (0..<(count / 2)).map { UInt8(truncatingIfNeeded: $0) }
        #expect(received == whole + whole)
    }

    @Test("without a chunk size the pace is also kept, in few pieces")
    func pace() throws {
        let world = try World(.throttle(bytesPerSecond: 10_000, chunk: nil))
        world.write(20_000)
        var pieces: [[UInt8]] = try world.sent()
        for _ in 0..<10 {
            world.advance(.milliseconds(100))
            pieces += try world.sent()
        }
        #expect((10_000...10_200).contains(pieces.reduce(0) { $0 + $1.count }))
        #expect(pieces.count <= 51)
    }

    @Test("idle time is not made up for")
    func idlePace() throws {
        let world = try World(.throttle(bytesPerSecond: 10, chunk: 1))
        world.write(1)
        world.advance(.seconds(100))
        world.write(20)
        #expect(try world.sent().count == 2)
        world.advance(.seconds(1))
        #expect(try world.sent().count == 10)
    }

    @Test("a close waits for throttled output, unless the server releases the connection")
    func closeWaits() throws {
        let world = try World(.throttle(bytesPerSecond: 10, chunk: 1))
        world.write(30)
        world.channel.close(promise: nil)
        world.advance(.milliseconds(2800))
        #expect(world.channel.isActive)
        world.advance(.milliseconds(200))
        #expect(!world.channel.isActive)
        #expect(try world.sent().count == 30)

        let hurried = try World(.throttle(bytesPerSecond: 10, chunk: 1))
        hurried.write(1000)
        hurried.channel.close(promise: nil)
        hurried.transport.release(in: .seconds(2))
        hurried.advance(.seconds(2))
        #expect(!hurried.channel.isActive)
    }

    @Test("a close after a number of bytes comes at the throttled pace")
    func endAtPace() throws {
        let world = try World(.throttle(bytesPerSecond: 10, chunk: 1), .close(.rst, afterBytes: 15))
        world.write(100)
        world.advance(.milliseconds(1300))
        #expect(!world.speaker.hasEnded)
        world.advance(.milliseconds(200))
        #expect(world.speaker.hasEnded)
        #expect(try world.sent().count == 15)
        #expect(!world.channel.isActive)
    }
}
