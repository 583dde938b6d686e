internal import APNsRules
internal import NIOCore

/// A connection's transport while a fault governs it: what is sent is slowed down or cut, and the connection ends as
/// TCP does, or does not end at all (`Documents#Actions`).
///
/// Stands next to the socket, behind everything that knows what the bytes mean, and only on connections that a fault
/// has chosen.
final class TransportHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Goes to whoever knows what the bytes mean when the connection has ended by FIN or RST: there is nothing more to
    /// be read or written.
    struct Ended {}

    private enum State {
        /// What is written is sent.
        case carrying
        /// The last bytes are on their way; then the end comes.
        case ending
        /// Nothing is sent any more, and what comes is dropped, until somebody lets the connection go.
        case silent
        /// It has ended, or may at any time.
        case released
    }

    private let limits: ConnectionLimits
    private var state = State.carrying
    private var output = PacedOutput()
    private var how = WireClose.How.fin
    private var context: ChannelHandlerContext?
    // The next piece, or the end of something that must not last.
    private var timer: Scheduled<Void>?
    private var patience: Scheduled<Void>?
    private var isPumping = false
    private var holdsRead = false
    private var closeWaits = false

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    // MARK: Faults

    /// Does an act of the transport's; nothing for any other.
    func perform(_ act: WireAct) {
        switch act {
        case .close(let how, let afterBytes): end(how, afterBytes: afterBytes)
        case .throttle(let bytesPerSecond, let chunk): throttle(bytesPerSecond: bytesPerSecond, chunk: chunk)
        default: break
        }
    }

    /// Ends the connection behind what was written, or when so many further bytes have been sent.
    private func end(_ how: WireClose.How, afterBytes count: Int?) {
        guard state == .carrying else { return }
        output.end(afterBytes: count)
        self.how = how
        pump()
    }

    /// From now on at most so many bytes a second are sent, `chunk` of them at a time.
    private func throttle(bytesPerSecond: Int, chunk: Int?) {
        guard let context else { return }
        output.limit(bytesPerSecond: bytesPerSecond, chunk: chunk, now: context.eventLoop.now)
    }

    /// Whether nothing is sent any more, and what comes is dropped.
    var isSilent: Bool { state == .silent }

    /// No longer keeps the connection from being closed; what waits is not sent.
    func letGo() { release() }

    /// Lets the connection be closed after so long, although not everything has been sent by then.
    func letGo(in time: TimeAmount) {
        guard patience == nil, let context else { return }
        patience = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.release()
            if self.closeWaits { context.close(promise: nil) }
        }
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        release()
        patience?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        patience?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Read, because bytes left unread would turn a FIN into a reset, and would tell a peer that its packets arrive
        // and nobody takes them.
        guard state == .carrying || state == .ending else { return }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .carrying, .ending: context.fireChannelReadComplete()
        // Nobody else may wish to hear more, as HTTP/1.1 does not while a request has no answer.
        case .silent, .released: context.read()
        }
    }

    func read(context: ChannelHandlerContext) {
        if output.byteCount > limits.pacedBytesMax, state == .carrying {
            holdsRead = true
        } else {
            context.read()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch (state, unwrapOutboundIn(data)) {
        case (.carrying, .byteBuffer(let bytes)): output.append(bytes, promise, now: context.eventLoop.now)
        // As far as anybody here can tell, it was sent.
        case (.silent, _): promise?.succeed()
        default: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    func flush(context: ChannelHandlerContext) {
        pump()
    }

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

    /// Ends the connection once the last bytes have left, or after the time for it.
    private func finish(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        guard how != .halfOpen else { return fallSilent(context) }
        // First, because whoever waits for bytes that nobody will send may close the connection when it hears so.
        state = .ending
        for promise in output.removeAll() { promise.fail(ChannelError.ioOnClosedChannel) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.closeTimeout) { self.sever() }
        // An empty write completes after everything before it.
        let end = context.channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(end))).assumeIsolated().whenComplete { _ in self.sever() }
    }

    private func sever() {
        guard state == .ending, let context else { return }
        release()
        context.fireUserInboundEventTriggered(Ended())
        guard how == .fin, context.channel.isActive else { return context.channel.resetAndClose() }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.lingerTimeout) {
            context.close(promise: nil)
        }
        context.close(mode: .output, promise: nil)
        context.read()
    }

    private func fallSilent(_ context: ChannelHandlerContext) {
        state = .silent
        // As far as anybody here can tell, they were sent.
        for promise in output.removeAll() { promise.succeed() }
        context.read()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.silenceMax) {
            self.release()
            context.close(promise: nil)
        }
    }

    private func release() {
        state = .released
        timer?.cancel()
        timer = nil
        for promise in output.removeAll() { promise.fail(ChannelError.ioOnClosedChannel) }
    }
}

extension WireAct {
    /// Whether it is done to the bytes of a connection, whatever they mean.
    var concernsTransport: Bool {
        switch self {
        case .close, .throttle: true
        default: false
        }
    }
}

extension ChannelHandlerContext {
    /// The connection's transport as a fault governs it; `nil` while none does.
    var transport: TransportHandler? {
        // The one error is that there is none.
        try? pipeline.syncOperations.handler(type: TransportHandler.self)
    }

    /// Resets the connection, whatever keeps it from being closed.
    func abort(_ promise: EventLoopPromise<Void>?) {
        transport?.letGo()
        channel.resetAndClose(promise)
    }

    /// Closes a connection on which nothing is said any more, and sees to it that one which is slowed down can be
    /// closed after so long; answers whether it has been closed.
    func letTransportGo(in grace: TimeAmount) -> Bool {
        guard let transport else { return false }
        guard transport.isSilent else {
            transport.letGo(in: grace)
            return false
        }
        transport.letGo()
        close(promise: nil)
        return true
    }

    /// The connection's transport, put in its place when a fault first asks for it; `nil` when the connection is gone.
    func governTransport(_ limits: ConnectionLimits) -> TransportHandler? {
        if let transport { return transport }
        let made = TransportHandler(limits: limits)
        do {
            try pipeline.syncOperations.addHandler(made, position: .first)
        } catch {
            return nil
        }
        return made
    }
}
