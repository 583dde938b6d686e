package import APNsRules
package import NIOCore

/// A connection, from bytes to answered requests: TLS if used, then HTTP/2.
///
/// If a service speaks HTTP/1.1 too, this handler does the handshake and hands the connection over. Does the I/O on its
/// channel's loop; ``ConnectionState`` decides how the connection proceeds. For each read it parses all bytes, answers
/// the requests that they complete, and encrypts, writes and flushes all output once.
package final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    let loop: WireLoop
    let responder: any PushResponder
    let limits: ConnectionLimits
    var tls: TLSSession?
    private var http2: HTTP2Session
    /// The handshake of a connection whose TLS is another handler's.
    private let secured: TLSFacts?
    var state: ConnectionState
    var bytesIn = 0
    private var bytesOut = 0
    private var replyTimer = ReplyTimer()
    /// The time limit of the handshake, of the grace period of a shutdown, or of the wait for the peer's close.
    var deadline: Scheduled<Void>?
    /// Whether a read waits until the peer has read our output and all requests are answered.
    private var isReadHeld = false
    private var turnBegan = NIODeadline.uptimeNanoseconds(0)
    /// Whether complete requests may wait for another turn.
    private var isTurnOver = false
    /// Whether the loop will call ``runTurn(_:)``.
    private(set) var awaitsTurn = false
    /// Whether answers that came outside a read wait to be sent together.
    private var isOutputDue = false
    /// Whether the peer's half-close is reported; otherwise it closes the channel.
    private var allowsHalfClosure = false
    /// The connection's share of the loop's ``WireLoop/heldBytesBeforeTrust``.
    private var heldBytesCounted = 0
    /// The next check for overdue requests; `nil` while no request is incomplete.
    private var requestTimer: Scheduled<Void>?
    /// The next check whether requests still come; `nil` if none came since the last one.
    private var memoryTimer: Scheduled<Void>?
    /// The streams that had been opened when ``memoryTimer`` was set, or last freed memory.
    private var streamsSeen = 0

    package init(
        loop: WireLoop, usesTLS: Bool, responder: any PushResponder, limits: ConnectionLimits,
        openingFaults: [WireFault] = [], secured: TLSFacts? = nil
    ) throws {
        self.loop = loop
        self.responder = responder
        self.limits = limits
        self.http2 = try HTTP2Session(loop.frameBuffer)
        self.tls = usesTLS ? try TLSSession(server: loop.tls, judge: responder.judgeCertificate) : nil
        self.state = ConnectionState(faults: openingFaults)
        self.secured = secured
    }

    // MARK: Channel

    package func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { start(context) } }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        defer { loop.readBuffer.giveBack(buffer) }
        guard !state.isClosed else {
            if state.dropped(buffer.readableBytes, limit: limits.lingerBytesMax) { context.close(promise: nil) }
            return
        }
        bytesIn += buffer.readableBytes
        if !isTurnOver {
            replyTimer.bytesRead()
            turnBegan = replyTimer.readAt
        }
        // Inside TLS the bytes were recorded when they came from the socket.
        if secured == nil { responder.bytesArrived() }
        if tls == nil {
            let error = buffer.withUnsafeReadableBytes { receive($0.bytes) }
            if let error { fail(error, context) }
        } else {
            tls?.receive(buffer)
            advanceTLS(context)
        }
        // Before the read is complete, because the peer's half-close may come in the same read.
        allowHalfClosure(context)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        endTurn(context)
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        isReadHeld = true
        readIfAllowed(context)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        readIfAllowed(context)
        scheduleTurnIfOver(context)
        context.fireChannelWritabilityChanged()
    }

    private func readIfAllowed(_ context: ChannelHandlerContext) {
        guard isReadHeld, !isTurnOver || state.isClosed, context.channel.isWritable else { return }
        isReadHeld = false
        context.read()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        awaitsTurn = false
        loop.heldBytesBeforeTrust -= heldBytesCounted
        heldBytesCounted = 0
        requestTimer?.cancel()
        memoryTimer?.cancel()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        connectionEnded(context)
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of the socket, such as a reset by the peer: nothing more can be sent.
        connectionEnded(context)
        context.close(promise: nil)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TransportHandler.Ended { end() }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        context.fireUserInboundEventTriggered(event)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let command = event as? ConnectionCommand else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        if case .answers = command {} else { sendDueOutput(context) }
        switch command {
        case .shutDown(let reason, let grace): shutDown(reason, grace: TimeAmount(grace), context)
        case .abort:
            end()
            return context.abort(promise)
        case .answers(let answers):
            if state.isOpen { for (stream, answer) in answers { http2.answer(stream: stream, answer) } }
            scheduleOutput(context)
        case .act(let fault): perform(fault, context)
        case .inspect(let report): report(traffic)
        }
        promise?.succeed()
    }

    // MARK: Opening

    private func start(_ context: ChannelHandlerContext) {
        guard state.isOpening else { return }
        guard tls == nil else { return limitHandshake(context) }
        open(context, tls: secured)
        sendOutput(context)
    }

    func advanceTLS(_ context: ChannelHandlerContext) {
        if state.isOpening {
            switch tls?.handshake() {
            case .complete:
                if let alert = state.alertAfterHandshake {
                    tls?.sendAlert(alert)
                    let detail = "a fault sends the alert \(alert.name) after the handshake"
                    return fail(state.handshakeProblem(.fault, detail), context)
                }
                if speaksHTTP1 { return handOver(context) }
                open(context, tls: tls?.facts)
                // A fault may keep the connection from reading any further.
                guard !context.isSilenced else { return }
                // The client's first bytes may be HTTP/1.1: the SETTINGS go out before what refuses it.
                if tls?.facts.applicationProtocol == nil { sendOutput(context) }
            case .failed(let error):
                let problem = tls?.certificateFault.map { ConnectionProblem.certificateRefused($0) }
                let cause = HandshakeFailure.Cause(error)
                return fail(problem ?? state.handshakeProblem(cause, error.description), context)
            default:
                writeCiphertext(context)
                return helloArrived(context)
            }
        }
        while !state.isClosed, !isTurnOver {
            switch tls?.read(into: &loop.plaintext) {
            case .complete(let count):
                if state.recordDecryptedInput() { responder.clientTrusts() }
                let error = loop.plaintext.withUnsafeBytes { receive($0.bytes.extracting(0..<count)) }
                if let error { fail(error, context) }
            case .closed: return inputEnded(context)
            case .failed(let error): fail(.tlsFailed(error.description), context)
            case .incomplete, nil: return
            }
        }
    }

    private func open(_ context: ChannelHandlerContext, tls: TLSFacts?) {
        let faults = state.open(afterHandshake: tls != nil)
        deadline?.cancel()
        switch responder.connectionOpened(tls) {
        case .serve(let streamLimit):
            http2.sendPreface(streamLimit: streamLimit, faults)
            for fault in faults where fault.concernsTransport { performTransport(fault, context) }
        case .refuse(let reason):
            http2.sendPreface(streamLimit: limits.streams)
            responder.connectionFailed(.refusedAtOpening(reason))
            shutDown(reason, grace: limits.grace, context)
        }
    }

    // MARK: In

    /// Parses plaintext and answers the requests that it completes; returns the error that ends the connection.
    ///
    /// Writes nothing: if a write failed at once, NIO would call this handler while `plaintext` is still borrowed.
    private func receive(_ plaintext: RawSpan) -> HTTP2Error? {
        do {
            try http2.receive(plaintext, heldBytesMax: heldBytesMax)
        } catch {
            if isTurnOver { answerRequests(in: ConnectionHandler.lastTurn) }
            return error
        }
        if !isTurnOver { answerRequests(in: limits.turn) }
        return nil
    }

    private func answerRequests(in turn: TimeAmount) {
        isTurnOver = false
        let answeredBefore = http2.answeredCount
        let end = turnBegan + turn
        http2.answerRequests(replyBytesMax: limits.waitingReplyBytesMax) { [responder] request, stream in
            responder.answer(to: request, stream: stream)
        } tooLarge: { [responder] in
            responder.connectionFailed(.headerListTooLarge)
        } isTurnOver: {
            isTurnOver = NIODeadline.now() >= end || responder.isBusy && turn != ConnectionHandler.lastTurn
            return isTurnOver
        }
        replyTimer.answered(http2.answeredCount - answeredBefore)
    }

    private func fail(_ error: HTTP2Error, _ context: ChannelHandlerContext) {
        if let line = error.firstLine, line.contains("HTTP/1.") {
            // APNs' front end answers HTTP/1.1 with HTTP/2 (`ProviderAPI#TLS`, `ProviderAPI#GOAWAY`).
            http2.sendGoAway(.protocolError, "Unexpected HTTP/1.x request: \(line)")
            fail(.spokeHTTP1(line), context)
        } else {
            http2.sendGoAway(error.code, error.text)
            fail(.protocolViolation(error.text), context)
        }
    }

    func fail(_ problem: ConnectionProblem, _ context: ChannelHandlerContext) {
        responder.connectionFailed(problem)
        if state.isOpening { writeCiphertext(context) } else { sendOutput(context) }
        close(context)
    }

    private func connectionEnded(_ context: ChannelHandlerContext) {
        answerRest(context)
        if let problem = state.hangUpProblem(bytesIn: bytesIn) { responder.connectionFailed(problem) }
        end()
    }

    /// Handles the peer's half-close: the connection closes once it has sent the withheld answers that will come.
    private func inputEnded(_ context: ChannelHandlerContext) {
        guard !state.isClosed else { return }
        guard state.isOpen, !context.isSilenced else { return context.close(promise: nil) }
        if let problem = state.hangUpProblem(bytesIn: bytesIn) { responder.connectionFailed(problem) }
        answerRest(context)
        sendOutput(context)
        if state.inputEnded(owedAnswers: http2.owedCount) { return close(context) }
        context.schedule(every: limits.seekTime) {
            if self.state.isAnswering { self.http2.sendPing() }
            self.sendOutput(context)
            return self.state.isAnswering
        }
    }

    /// Has the peer's half-close reported while an answer is owed; otherwise it closes the channel.
    private func allowHalfClosure(_ context: ChannelHandlerContext) {
        guard allowsHalfClosure != (http2.owedCount > 0) else { return }
        allowsHalfClosure.toggle()
        context.channel.allowHalfClosure(allowsHalfClosure)
    }

    // MARK: Turns

    private static let lastTurn = TimeAmount.hours(24)

    /// Whether the connection's requests wait for more than their turn.
    var isBusy: Bool { responder.isBusy }

    func runTurn(_ context: ChannelHandlerContext) {
        awaitsTurn = false
        if !state.isClosed, !isBusy, context.channel.isWritable {
            turnBegan = .now()
            answerWaiting(in: limits.turn, context)
            allowHalfClosure(context)
        }
        endTurn(context)
    }

    /// Answers all waiting requests, because no other turn follows.
    private func answerRest(_ context: ChannelHandlerContext) {
        if isTurnOver, !state.isClosed { answerWaiting(in: ConnectionHandler.lastTurn, context) }
    }

    private func answerWaiting(in turn: TimeAmount, _ context: ChannelHandlerContext) {
        answerRequests(in: turn)
        if tls != nil, !isTurnOver { advanceTLS(context) }
    }

    private func endTurn(_ context: ChannelHandlerContext) {
        sendOutput(context)
        updateHeldBytes()
        watchRequests(context)
        watchMemory(context)
        if isTurnOver, !state.isClosed { scheduleTurnIfOver(context) } else { readIfAllowed(context) }
    }

    /// Schedules the next turn if requests wait for it, unless the peer has to read the replies so far before it.
    private func scheduleTurnIfOver(_ context: ChannelHandlerContext) {
        guard isTurnOver, !state.isClosed, !awaitsTurn, context.channel.isWritable else { return }
        awaitsTurn = true
        loop.scheduleTurn(of: self, context)
    }

    // MARK: Incomplete requests

    /// Checks for overdue requests per request timeout; a request is ended at most one interval late.
    private static let requestTimeoutParts = 4

    private var heldBytesMax: Int {
        guard !http2.hasAccepted else { return limits.unfinishedBytesMax }
        let room = limits.unfinishedBytesBeforeTrustMax - loop.heldBytesBeforeTrust
        return min(limits.unfinishedBytesMax, heldBytesCounted + max(room, 0))
    }

    private func updateHeldBytes() {
        let count = http2.hasAccepted ? 0 : http2.heldByteCount
        loop.heldBytesBeforeTrust += count - heldBytesCounted
        heldBytesCounted = count
    }

    private func watchRequests(_ context: ChannelHandlerContext) {
        guard requestTimer == nil, http2.hasUnfinishedRequests, !state.isClosed else { return }
        let parts = ConnectionHandler.requestTimeoutParts
        let part = TimeAmount.nanoseconds(limits.requestTimeout.nanoseconds / Int64(parts))
        requestTimer = context.schedule(in: part) {
            self.requestTimer = nil
            guard !self.state.isClosed else { return }
            let count = self.http2.resetUnfinishedRequests(after: parts)
            if count > 0 {
                self.responder.connectionFailed(.requestsTimedOut(count))
                self.sendOutput(context)
                self.updateHeldBytes()
            }
            self.watchRequests(context)
        }
    }

    /// Frees the memory of requests once no further one has come for a while.
    private func watchMemory(_ context: ChannelHandlerContext) {
        guard memoryTimer == nil, http2.totalStreamCount != streamsSeen, !state.isClosed else { return }
        streamsSeen = http2.totalStreamCount
        memoryTimer = context.schedule(in: limits.memoryTime) {
            self.memoryTimer = nil
            if self.http2.totalStreamCount == self.streamsSeen { self.http2.freeMemory() }
            self.watchMemory(context)
        }
    }

    // MARK: Out

    /// Sends the output once the loop has carried out what it has begun, because other answers often come with this one.
    private func scheduleOutput(_ context: ChannelHandlerContext) {
        guard !isOutputDue else { return }
        isOutputDue = true
        context.eventLoop.assumeIsolated().execute { self.sendDueOutput(context) }
    }

    private func sendDueOutput(_ context: ChannelHandlerContext) { if isOutputDue { sendOutput(context) } }

    func sendOutput(_ context: ChannelHandlerContext) {
        isOutputDue = false
        guard state.isOpen else { return }
        loop.output.removeAll(keepingCapacity: loop.output.capacity <= WireLoop.outputBytesKept)
        do {
            try http2.moveOutput(into: &loop.output)
        } catch {
            responder.connectionFailed(.protocolViolation(error.text))
            return close(context)
        }
        if let violation = http2.takeViolation() { responder.connectionFailed(.protocolViolation(violation)) }
        for request in http2.takeMalformed() {
            responder.connectionFailed(.requestMalformed(stream: request.stream, request.reason))
        }
        performActions(beforeOutput: true, context)
        // TLS may have output of its own, such as the alert that refuses a renegotiation.
        if loop.output.isEmpty { writeCiphertext(context) } else { writeGathered(context) }
        replyTimer.handedOver(to: &loop.latency)
        // After the reply that requires it: nghttp2 would send GOAWAY before the reply's DATA.
        performActions(beforeOutput: false, context)
        allowHalfClosure(context)
        // After an error that nghttp2 found itself, the requests before it are still answered.
        if isTurnOver, !http2.wantsMore { answerRequests(in: ConnectionHandler.lastTurn) }
        if !isTurnOver, http2.canAnswerMore(replyBytesMax: limits.waitingReplyBytesMax) {
            // The peer has made room for more replies.
            isTurnOver = true
            scheduleTurnIfOver(context)
        }
        let isOver = state.isOver(
            openStreams: http2.openStreamCount, owedAnswers: http2.owedCount, wantsMore: http2.wantsMore)
        if isOver { close(context) }
    }

    private func writeGathered(_ context: ChannelHandlerContext) {
        guard tls != nil else { return write(context.channel.allocator.buffer(bytes: loop.output), context) }
        let written = loop.output.withUnsafeBytes { tls?.write($0.bytes) }
        if case .failed(let error) = written {
            responder.connectionFailed(.tlsFailed(error.description))
            return close(context)
        }
        writeCiphertext(context)
    }

    private func writeCiphertext(_ context: ChannelHandlerContext) {
        if let buffer = tls?.takeOutput() { write(buffer, context) }
    }

    private func write(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        bytesOut += buffer.readableBytes
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    private var traffic: ConnectionTraffic { ConnectionTraffic(http2, bytesIn: bytesIn, bytesOut: bytesOut) }

    // MARK: Faults and actions

    /// Carries out a fault that concerns no request: at once, or as soon as the connection is open.
    private func perform(_ fault: WireFault, _ context: ChannelHandlerContext) {
        guard !state.isClosed else { return }
        state.handshakeFaulted()
        if fault.concernsTransport {
            performTransport(fault, context)
        } else if state.isOpening {
            state.carryOutWhenOpen(fault)
        } else {
            http2.perform(fault)
            sendOutput(context)
        }
    }

    func performTransport(_ fault: WireFault, _ context: ChannelHandlerContext) {
        if !state.isClosed { context.performTransport(fault, limits) }
    }

    private func performActions(beforeOutput: Bool, _ context: ChannelHandlerContext) {
        guard http2.hasActions else { return }
        for action in http2.takeActions(beforeOutput: beforeOutput) { perform(action, context) }
    }

    private func perform(_ action: HTTP2Action, _ context: ChannelHandlerContext) {
        // The report of a connection's end covers all withheld answers.
        guard !state.isClosed else { return }
        switch action {
        case .abandoned(let stream): responder.requestAbandoned(stream: stream)
        case .shutDown(let reason): shutDown(reason, grace: limits.grace, context)
        case .drain: drain(grace: limits.grace, context)
        case .close: close(context)
        case .leaveOpen: state.leaveOpen()
        case .awaitRoundTrip:
            context.schedule(in: limits.goAwayRoundTrip) {
                guard !self.state.isClosed else { return }
                self.http2.concludeGoAway()
                self.sendOutput(context)
            }
        case .transport(let fault): performTransport(fault, context)
        }
    }

    // MARK: The end

    private func shutDown(_ reason: Reason, grace: TimeAmount, _ context: ChannelHandlerContext) {
        if !context.releaseTransport(in: grace) { drain(sending: reason, grace: grace, context) }
    }

    /// Closes when the open streams have ended or `grace` is over; sends GOAWAY first if there is a `reason`.
    private func drain(sending reason: Reason? = nil, grace: TimeAmount, _ context: ChannelHandlerContext) {
        switch state.shutDown() {
        case .nothing: return
        case .close:
            end()
            context.close(promise: nil)
        case .drain:
            if let reason { http2.sendGoAway(reason) }
            deadline = context.schedule(in: grace) { if self.state.isDraining { self.close(context) } }
            sendOutput(context)
        }
    }

    /// Stops reading and writing, and reports the end of a connection that was open.
    func end() {
        deadline?.cancel()
        if state.close() { responder.connectionClosed(traffic) }
    }

    /// Closes once all output has been sent, or after `closeTimeout`.
    private func close(_ context: ChannelHandlerContext) {
        end()
        tls?.sendCloseNotify()
        writeCiphertext(context)
        deadline = context.schedule(in: limits.closeTimeout) { context.close(promise: nil) }
        context.afterWrites { self.linger(context) }
    }

    private func linger(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard context.channel.isActive else { return }
        deadline = context.schedule(in: limits.lingerTimeout) { context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
    }
}
