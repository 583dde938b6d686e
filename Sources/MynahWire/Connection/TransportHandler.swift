internal import APNsRules
internal import NIOCore

/// A connection's transport under a fault: output is slowed down or cut, and the connection ends by FIN or RST, or
/// stays open in silence (`Documents#Actions`).
///
/// The first handler of the pipeline, next to the socket, and only on connections to which a fault applies.
final class TransportHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Tells the handlers above that a fault has ended the connection.
    struct Ended {}

    private enum State {
        case carrying
        /// The last bytes are on their way, and the connection then ends.
        case ending
        /// Output and input are dropped until ``TransportHandler/release()``.
        case silent
        /// The connection has ended, or may be closed at any time.
        case released
    }

    private let limits: ConnectionLimits
    private var state = State.carrying
    private var output = PacedOutput()
    private var how = WireClose.How.fin
    private var context: ChannelHandlerContext?
    // For the next piece, or for the limit on closing, lingering or silence.
    private var timer: Scheduled<Void>?
    private var releaseTimer: Scheduled<Void>?
    private var isPumping = false
    private var holdsRead = false
    private var closeWaits = false

    init(limits: ConnectionLimits) { self.limits = limits }

    // MARK: Faults

    /// Carries out a fault of the transport; does nothing for any other.
    func perform(_ fault: WireFault) {
        switch fault {
        case .close(let how, let afterBytes):
            guard state == .carrying else { return }
            output.end(afterBytes: afterBytes)
            self.how = how
            pump()
        case .throttle(let bytesPerSecond, let chunk):
            guard let context else { return }
            output.limit(bytesPerSecond: bytesPerSecond, chunk: chunk, now: context.eventLoop.now)
        default: break
        }
    }

    var isSilent: Bool { state == .silent }

    /// Allows the connection to be closed after a time, even with unsent output.
    func release(in time: TimeAmount) {
        guard releaseTimer == nil, let context else { return }
        releaseTimer = context.schedule(in: time) {
            self.release()
            if self.closeWaits { context.close(promise: nil) }
        }
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        release()
        releaseTimer?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        releaseTimer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Reads even dropped bytes: unread ones would turn a FIN into a reset, and show in the peer's TCP window.
        guard state == .carrying || state == .ending else { return }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .carrying, .ending: context.fireChannelReadComplete()
        // The handlers above may not request a read, as with HTTP/1.1 while a request has no answer.
        case .silent, .released: context.read()
        }
    }

    func read(context: ChannelHandlerContext) {
        if output.byteCount > limits.pacedBytesMax, state == .carrying { holdsRead = true } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch (state, unwrapOutboundIn(data)) {
        case (.carrying, .byteBuffer(let bytes)): output.append(bytes, promise, now: context.eventLoop.now)
        // The handlers above must not notice that it is dropped.
        case (.silent, _): promise?.succeed()
        default: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    func flush(context: ChannelHandlerContext) { pump() }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let waits =
            switch state {
            case .carrying: output.isPacing
            case .ending, .silent: true
            case .released: false
            }
        guard waits else { return context.close(mode: mode, promise: promise) }
        if mode == .all { closeWaits = true }
        context.channel.closeFuture.cascade(to: promise)
    }

    // MARK: Out

    private func pump() {
        guard let context, context.channel.isActive, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while state == .carrying {
            switch output.next(now: context.eventLoop.now) {
            case .send(let bytes, let promise):
                context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
            case .wait(let moment):
                guard timer == nil else { return }
                timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: moment) {
                    self.timer = nil
                    self.pump()
                }
                return
            case .end: finish(context)
            case .nothing:
                if closeWaits { context.close(promise: nil) }
                return readAgain(context)
            }
            readAgain(context)
        }
    }

    private func readAgain(_ context: ChannelHandlerContext) {
        guard holdsRead, output.byteCount <= limits.pacedBytesMax else { return }
        holdsRead = false
        context.read()
    }

    // MARK: The end

    private func finish(_ context: ChannelHandlerContext) {
        timer?.cancel()
        guard how != .halfOpen else { return fallSilent(context) }
        // First, because a handler whose write fails may close the connection.
        state = .ending
        for promise in output.removeAll() { promise.fail(ChannelError.ioOnClosedChannel) }
        timer = context.schedule(in: limits.closeTimeout) { self.sever() }
        context.afterWrites { self.sever() }
    }

    private func sever() {
        guard state == .ending, let context else { return }
        release()
        context.fireUserInboundEventTriggered(Ended())
        guard how == .fin, context.channel.isActive else { return context.channel.resetAndClose() }
        timer = context.schedule(in: limits.lingerTimeout) { context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
    }

    private func fallSilent(_ context: ChannelHandlerContext) {
        state = .silent
        // The handlers above must not notice that output is dropped.
        for promise in output.removeAll() { promise.succeed() }
        context.read()
        timer = context.schedule(in: limits.silenceMax) {
            self.release()
            context.close(promise: nil)
        }
    }

    /// Allows the connection to be closed, and drops unsent output.
    func release() {
        state = .released
        timer?.cancel()
        for promise in output.removeAll() { promise.fail(ChannelError.ioOnClosedChannel) }
    }
}

extension WireFault {
    var concernsTransport: Bool {
        switch self {
        case .close, .throttle: true
        default: false
        }
    }
}

extension ChannelHandlerContext {
    /// The handler of transport faults; `nil` while none applies.
    var transport: TransportHandler? {
        // Looking it up fails only if the pipeline has no such handler.
        try? pipeline.syncOperations.handler(type: TransportHandler.self)
    }

    var isSilenced: Bool { transport?.isSilent == true }

    /// Passes on bytes that arrived before the next handler was added, unless a fault has silenced the connection.
    func passOn(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0, !isSilenced else { return }
        fireChannelRead(NIOAny(bytes))
        fireChannelReadComplete()
    }

    /// Resets the connection, even if a fault keeps it from being closed.
    func abort(_ promise: EventLoopPromise<Void>?) {
        transport?.release()
        channel.resetAndClose(promise)
    }

    /// Closes a connection that a fault has silenced, and allows one that is slowed down to be closed after `grace`;
    /// returns whether it was closed.
    func releaseTransport(in grace: TimeAmount) -> Bool {
        guard isSilenced else {
            transport?.release(in: grace)
            return false
        }
        transport?.release()
        close(promise: nil)
        return true
    }

    /// Carries out a fault below TLS and HTTP; does nothing if the connection has ended.
    func performTransport(_ fault: WireFault, _ limits: ConnectionLimits) {
        if let transport { return transport.perform(fault) }
        let transport = TransportHandler(limits: limits)
        // The only error is that the connection has ended.
        guard (try? pipeline.syncOperations.addHandler(transport, position: .first)) != nil else { return }
        transport.perform(fault)
    }
}
