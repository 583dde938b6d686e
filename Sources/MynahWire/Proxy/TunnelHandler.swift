internal import NIOCore

/// An end of a tunnel: the other end writes what this one reads (RFC 9110 §9.3.6).
///
/// Both ends live on one loop. While one socket can't be written to, the other isn't read. The end of one direction is
/// passed on and leaves the other one open until that has carried nothing for `silenceMax`. A reset is passed on as a
/// reset.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// The other end isn't there yet: input waits, and no more is read.
        case alone
        /// Each end holds the other until one of them has ended.
        case joined(TunnelHandler)
        case ended
    }

    private var state = State.alone
    private var context: ChannelHandlerContext?
    // Bytes that arrived before there was another end: NIO reads everything as soon as a peer half-closes.
    private var early = ByteBuffer()
    private var inputHasEnded = false
    private var isReset = false
    private var holdsRead = false
    private let silenceMax: TimeAmount
    // After the other side has ended: the next check, and whether anything came from this side since the last one.
    private var silence: Scheduled<Void>?
    private var hasMoved = false

    /// Makes an end of a tunnel that is reset if nothing comes from it for `silenceMax` after the other side has ended.
    init(silenceMax: TimeAmount) { self.silenceMax = silenceMax }

    func join(_ other: TunnelHandler) {
        let ends = [(self, other), (other, self)]
        for (end, opposite) in ends { if case .alone = end.state { end.state = .joined(opposite) } }
        for (end, opposite) in ends { end.catchUp(with: opposite) }
    }

    private func catchUp(with other: TunnelHandler) {
        if early.readableBytes > 0 {
            other.write(early)
            early = ByteBuffer()
        }
        if case .ended = state {
            if isReset { other.reset() } else { other.end(.all) }
        } else if inputHasEnded {
            other.end(.output)
        } else {
            other.context?.flush()
            readAgain()
        }
    }

    private var other: TunnelHandler? { if case .joined(let other) = state { other } else { nil } }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        hasMoved = true
        if case .alone = state { early.writeImmutableBuffer(bytes) } else { other?.write(bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func read(context: ChannelHandlerContext) {
        if let other, other.isWritable { context.read() } else { holdsRead = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.readAgain() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            other?.end(.output)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of the socket, such as a reset by the peer.
        isReset = true
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let other = other
        state = .ended
        silence?.cancel()
        // The channel is closed in both directions; bytes on their way to the other side still arrive, except after a
        // reset.
        if isReset { other?.reset() } else { other?.end(.all) }
        context.fireChannelInactive()
    }

    private var isWritable: Bool { context?.channel.isWritable ?? false }
    private func write(_ bytes: ByteBuffer) { context?.write(wrapOutboundOut(bytes), promise: nil) }

    private func readAgain() {
        guard holdsRead, let context, let other, other.isWritable else { return }
        holdsRead = false
        context.read()
    }

    /// Closes one direction or both after everything written so far.
    private func end(_ mode: CloseMode) {
        guard let context else { return }
        limitSilence(context)
        context.afterWrites { context.close(mode: mode, promise: nil) }
    }

    private func reset() { context?.channel.resetAndClose() }

    private func limitSilence(_ context: ChannelHandlerContext) {
        guard silence == nil else { return }
        hasMoved = false
        silence = context.schedule(in: silenceMax) {
            self.silence = nil
            guard !self.hasMoved else { return self.limitSilence(context) }
            self.isReset = true
            self.reset()
        }
    }
}
