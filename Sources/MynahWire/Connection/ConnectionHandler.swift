package import APNsRules
package import NIOCore

/// One connection, from bytes to answered requests: TLS where there is any, then HTTP/2.
///
/// Lives on the loop of its channel and nowhere else. The rhythm is: feed all that was read, answer what it
/// completed, take all output into one buffer, encrypt, write once, flush once.
package final class ConnectionHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    let loop: WireLoop
    var tls: TLSSession?
    var http2: HTTP2Session
    var lifecycle: ConnectionLifecycle
    let responder: any PushResponder
    private let facts: ConnectionFacts
    let limits: ConnectionLimits

    var deadline: Scheduled<Void>?
    private(set) var traffic = ConnectionTraffic()
    private var replyTimer = ReplyTimer()
    // The peer does not read: neither do we, until it does.
    private var holdsRead = false
    private(set) var hasOpened = false
    /// What is to be done as soon as the connection is open.
    var openingActs: [WireAct] = []
    /// Whether it has been asked what becomes of the ClientHello.
    var isHelloJudged = false
    /// Whether a fault acts on the handshake.
    var isHandshakeFaulted = false
    /// The alert that a fault has sent as soon as hands are shaken.
    var alertBehindHandshake: TLSAlert?
    /// Whether a fault has the connection say nothing any more.
    var isSilenced = false
    private var hasReportedEnd = false
    private var droppedBytes = 0
    /// What the loop counts of this connection's unfinished requests.
    var heldBytesNoted = 0
    /// When it is seen which requests take too long; `nil` while there are none.
    var requestTimer: Scheduled<Void>?
    /// Whether the end of the peer's side is reported; else it is the connection's end.
    var allowsHalfClosure = false

    /// A connection; with TLS when `usesTLS`.
    ///
    /// - Throws: ``OpenSSLError`` or ``HTTP2Error`` when memory runs out.
    package init(
        loop: WireLoop, usesTLS: Bool, responder: any PushResponder, facts: ConnectionFacts, limits: ConnectionLimits,
        openingActs: [WireAct] = []
    ) throws {
        self.loop = loop
        self.http2 = try HTTP2Session()
        self.tls = usesTLS ? try TLSSession(server: loop.tls, judge: responder.judgeCertificate) : nil
        self.lifecycle = ConnectionLifecycle(needsHandshake: usesTLS)
        self.responder = responder
        self.facts = facts
        self.limits = limits
        self.openingActs = openingActs
    }

    // MARK: Channel

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard !lifecycle.isClosed else {
            drop(buffer.readableBytes, context)
            return
        }
        traffic.bytesIn += buffer.readableBytes
        replyTimer.bytesRead()
        responder.bytesArrived()
        if tls == nil {
            let error = buffer.withUnsafeReadableBytes { receive($0.bytes) }
            if let error { refuse(error, context) }
        } else {
            tls?.receive(buffer.readableBytesSpan)
            advanceTLS(context)
        }
        // Now, since the peer's end may come in the same breath.
        allowHalfClosure(context)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        sendOutput(context)
        noteHeldBytes()
        watchRequests(context)
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            context.read()
        } else {
            holdsRead = true
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, holdsRead {
            holdsRead = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        forgetRequests()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        reportHangUp()
        lifecycle.closed()
        deadline?.cancel()
        reportEnd()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The socket's own errors, such as a reset by the peer: there is nobody left to answer.
        reportHangUp()
        lifecycle.closed()
        context.close(promise: nil)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TransportHandler.Ended { transportEnded() }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        context.fireUserInboundEventTriggered(event)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event {
        case ConnectionCommand.shutDown(let reason, let grace):
            shutDown(reason, grace: TimeAmount(grace), context)
            promise?.succeed()
        case ConnectionCommand.abort:
            lifecycle.closed()
            reportEnd()
            context.abort(promise)
        case ConnectionCommand.answer(let stream, let answer):
            self.answer(stream, answer, context)
            promise?.succeed()
        case ConnectionCommand.act(let act):
            perform(act, context)
            promise?.succeed()
        case ConnectionCommand.inspect(let answer):
            answer(trafficNow)
            promise?.succeed()
        default:
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    // MARK: Life

    private func start(_ context: ChannelHandlerContext) {
        guard !hasOpened else { return }
        guard lifecycle.isHandshaking else {
            opened(context, tls: nil)
            sendOutput(context)
            return
        }
        limitHandshake(context)
    }

    private func opened(_ context: ChannelHandlerContext, tls: TLSFacts?) {
        hasOpened = true
        deadline?.cancel()
        let decision = responder.connectionOpened(
            ConnectionFacts(id: facts.id, peer: facts.peer, portEnvironment: facts.portEnvironment, tls: tls))
        switch decision {
        case .serve(let streamLimit):
            http2.greet(streamLimit: streamLimit, openingActs)
            governTransport(context)
        case .refuse(let reason):
            http2.greet(streamLimit: limits.streams)
            responder.connectionFailed(.refusedAtOpening(reason))
            shutDown(reason, grace: limits.grace, context)
        }
    }

    func shutDown(_ reason: Reason, grace: TimeAmount, _ context: ChannelHandlerContext) {
        guard !context.letTransportGo(in: grace) else { return }
        drain(grace: grace, context) { http2.sendGoAway(reason: reason) }
    }

    /// Ends the connection once its streams have, for which they have so long; `announce` says so to the peer.
    func drain(grace: TimeAmount, _ context: ChannelHandlerContext, announce: () -> Void) {
        switch lifecycle.shutDown() {
        case .nothing: return
        case .close: context.close(promise: nil)
        case .sendGoAway:
            announce()
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: grace) {
                if self.lifecycle.graceOver() == .close { self.close(context) }
            }
            sendOutput(context)
        }
    }

    func reportEnd() {
        guard hasOpened, !hasReportedEnd else { return }
        hasReportedEnd = true
        responder.connectionClosed(trafficNow)
    }

    private var trafficNow: ConnectionTraffic {
        var traffic = traffic
        traffic.pushes = http2.answeredCount
        traffic.pings = http2.pingCount
        traffic.openStreams = http2.openStreamCount
        traffic.streamLimit = http2.streamLimit ?? 0
        traffic.totalStreams = http2.totalStreamCount
        return traffic
    }

    // MARK: In

    func advanceTLS(_ context: ChannelHandlerContext) {
        if lifecycle.isHandshaking {
            switch tls?.handshake() {
            case .complete:
                if sendAlertBehindHandshake(context) { return }
                lifecycle.handshakeCompleted()
                opened(context, tls: tls?.facts)
            case .failed(let error):
                fail(
                    tls?.certificateFault.map { .certificateRefused($0) }
                        ?? handshakeFailed(HandshakeFailure.Cause(error), error.description),
                    context)
                return
            default:
                writeCiphertext(context)
                helloArrived(context)
                return
            }
        }
        while !lifecycle.isClosed, !isSilenced {
            switch tls?.read(into: &loop.plaintext) {
            case .complete(let count):
                let error = loop.plaintext.withUnsafeBytes { receive($0.bytes.extracting(0..<count)) }
                if let error { refuse(error, context) }
            case .closed:
                inputEnded(context)
                return
            case .failed(let error):
                fail(.tlsFailed(error.description), context)
            case .incomplete, nil:
                return
            }
        }
    }

    /// Feeds plaintext and answers what it completed; `nil`, or why the connection can't go on.
    ///
    /// Writes nothing: a write may fail at once, and NIO then calls back into this handler with what is left to read,
    /// while the bytes here are still lent.
    private func receive(_ plaintext: RawSpan) -> HTTP2Error? {
        limitHeldBytes()
        do {
            try http2.receive(plaintext)
        } catch {
            return error
        }
        let answeredBefore = http2.answeredCount
        http2.answerRequests { [responder] request, stream in
            responder.answer(to: request, stream: stream)
        } tooLarge: { [responder] in
            responder.connectionFailed(.headerListTooLarge)
        }
        replyTimer.answered(http2.answeredCount - answeredBefore)
        return nil
    }

    private func refuse(_ error: HTTP2Error, _ context: ChannelHandlerContext) {
        switch error {
        case .badPreface(let line) where line.contains("HTTP/1."):
            // APNs' front end answers HTTP/1.1 with HTTP/2 (`ProviderAPI#TLS`, `ProviderAPI#GOAWAY`).
            http2.sendGoAway(.protocolError, "Unexpected HTTP/1.x request: \(line)")
            fail(.spokeHTTP1(line), context)
        case .badPreface: refuse(.failed("HTTP/2 client preface string missing or corrupt"), context)
        case .failed(let text, let code):
            http2.sendGoAway(code, text)
            fail(.protocolViolation(text), context)
        }
    }

    /// Sends what there is to say, and closes.
    func fail(_ problem: ConnectionProblem, _ context: ChannelHandlerContext) {
        responder.connectionFailed(problem)
        if lifecycle.isHandshaking {
            writeCiphertext(context)
        } else {
            sendOutput(context)
        }
        close(context)
    }

    // MARK: Out

    func sendOutput(_ context: ChannelHandlerContext) {
        guard hasOpened, !lifecycle.isClosed else { return }
        loop.output.removeAll(keepingCapacity: loop.output.capacity <= WireLoop.outputBytesKept)
        do {
            try http2.takeOutput(into: &loop.output)
        } catch {
            responder.connectionFailed(.protocolViolation(error.text))
            close(context)
            return
        }
        if let violation = http2.takeViolation() { responder.connectionFailed(.protocolViolation(violation)) }
        if http2.hasDue { prepareTransport(context) }
        // TLS has things of its own to say, such as the alert that refuses a renegotiation.
        if loop.output.isEmpty { writeCiphertext(context) } else { write(context) }
        replyTimer.handedOver(to: &loop.latency)
        // Once the reply that calls for it is on its way: nghttp2 would send GOAWAY before a reply's DATA.
        if http2.hasDue { doDue(context) }
        allowHalfClosure(context)
        let next = lifecycle.outputSent(
            openStreams: http2.openStreamCount, owedAnswers: http2.owedCount, wantsMore: http2.wantsMore)
        if next == .close { close(context) }
    }

    private func write(_ context: ChannelHandlerContext) {
        guard tls != nil else {
            var buffer = context.channel.allocator.buffer(capacity: loop.output.count)
            buffer.writeBytes(loop.output)
            traffic.bytesOut += buffer.readableBytes
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            return
        }
        let written = loop.output.withUnsafeBytes { tls?.write($0.bytes) }
        if case .failed(let error) = written {
            responder.connectionFailed(.tlsFailed(error.description))
            close(context)
            return
        }
        writeCiphertext(context)
    }

    func writeCiphertext(_ context: ChannelHandlerContext) {
        guard let buffer = tls?.takeOutput(context.channel.allocator) else { return }
        traffic.bytesOut += buffer.readableBytes
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    /// Closes once all that was written has left, or after the time for it.
    func close(_ context: ChannelHandlerContext) {
        lifecycle.closed()
        deadline?.cancel()
        reportEnd()
        tls?.sendCloseNotify()
        writeCiphertext(context)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.closeTimeout) {
            context.close(promise: nil)
        }
        // An empty write completes after everything before it.
        let end = context.channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(end)).assumeIsolated().whenComplete { _ in
            self.linger(context)
        }
    }

    /// Counts what comes after the end; somebody who goes on and on is cut off.
    private func drop(_ byteCount: Int, _ context: ChannelHandlerContext) {
        droppedBytes += byteCount
        if droppedBytes > limits.lingerBytesMax { context.close(promise: nil) }
    }

    /// Ends this side, and closes when the peer has ended its own, or after the time for it.
    private func linger(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard context.channel.isActive else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.lingerTimeout) {
            context.close(promise: nil)
        }
        context.close(mode: .output, promise: nil)
    }
}
