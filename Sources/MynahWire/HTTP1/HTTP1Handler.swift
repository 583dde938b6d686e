internal import APNsRules
internal import NIOCore
internal import NIOHTTP1

/// Does the I/O of an HTTP/1.1 connection: on the cleartext port, for clients that are given an `http://` address, and of
/// a service that speaks it inside TLS; ``HTTP1ConnectionState`` decides how the connection proceeds.
final class HTTP1Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: any PushResponder
    private let counter: HTTP1TrafficCounter
    private let limits: ConnectionLimits
    private let openingFaults: [WireFault]
    /// The handshake of a connection whose TLS another handler has.
    private let secured: TLSFacts?
    private var state = HTTP1ConnectionState()
    private var request = PushRequest()
    private var bodyBytesMax = 0
    /// Whether a fault has sent the head of a reply alone.
    private var hasCutOffReply = false
    /// Whether the request waits until the peer has read the replies before it.
    private var awaitsRoom = false
    /// Whether the client of the request may be sent interim answers, which HTTP/1.0 doesn't have.
    private var takesInterimAnswers = false
    private var grace: Scheduled<Void>?
    private var requestTimer: Scheduled<Void>?

    init(
        responder: any PushResponder, counter: HTTP1TrafficCounter, limits: ConnectionLimits,
        openingFaults: [WireFault], secured: TLSFacts?
    ) {
        self.responder = responder
        self.counter = counter
        self.limits = limits
        self.openingFaults = openingFaults
        self.secured = secured
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        // Only HTTP/2 has a stream limit. HTTP/1.1 can't say why a connection is refused.
        guard case .refuse(let reason) = responder.connectionOpened(secured) else {
            for fault in openingFaults { perform(fault, with: nil, context) }
            return
        }
        responder.connectionFailed(.refusedAtOpening(reason))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TransportHandler.Ended { end() }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !state.isClosed else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): append(bytes, context)
        case .end: if state.requestEnded(bytesIn: counter.traffic.bytesIn) { answerOnceWritable(context) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if awaitsRoom, !state.isClosed { answerOnceWritable(context) }
        context.fireChannelWritabilityChanged()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watchRequest(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, !state.isClosed { refuse(error, context) }
        context.close(promise: nil)
    }

    /// Answers what is no request with 400 and why, unless a fault has cut off the answer before it.
    private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
        responder.connectionFailed(.http1Violation("\(error)"))
        guard !hasCutOffReply else { return }
        state.bodyExceeded()
        request = PushRequest()
        write(.init(version: .http1_1, status: .badRequest), body: Array(error.sentence.utf8), on: context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let command = event as? ConnectionCommand else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        switch command {
        case .shutDown(_, let grace): shutDown(grace: TimeAmount(grace), context)
        case .abort: return context.abort(promise)
        case .answers(let answers):
            for (_, answer) in answers where state.isWithheld {
                context.channel.allowHalfClosure(false)
                send(answer, context)
            }
        // The current request still gets its reply.
        case .act(.goAway(let goAway)) where goAway.close == .afterStreams && state.isUnanswered: _ = state.shutDown()
        case .act(let fault): perform(fault, with: nil, context)
        case .inspect(let report): report(counter.traffic)
        }
        promise?.succeed()
    }

    // MARK: Requests

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        request = PushRequest()
        // NIO's decoder treats the bytes after an upgrade as the other protocol, although the answer declines it.
        state.begin(isKeptAlive: head.isKeepAlive && !head.headers.contains(name: "upgrade"))
        request.headers.append(":method", head.method.rawValue)
        request.headers.append(":scheme", secured == nil ? "http" : "https")
        // A server accepts the absolute form of a target as well (RFC 9112 §3.2.2), whose host counts in place of `Host`.
        let absolute = head.uri.hasPrefix("/") ? nil : URLParts(head.uri)
        let url = absolute.flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
        request.headers.append(":path", url?.target ?? head.uri)
        if let url { request.headers.append(":authority", String(url.authority)) }
        for field in head.headers { append(name: field.name, value: field.value) }
        bodyBytesMax = PushRequest.bodyBytesMax(request.headers)
        guard HTTP1Handler.hasHost(head) else {
            state.bodyExceeded()
            let text = "HTTP/1.1 needs one Host, a name with or without a port (RFC 9112 section 3.2)\n"
            return write(.init(version: .http1_1, status: .badRequest), body: Array(text.utf8), on: context)
        }
        guard request.headers.listSize <= Limits.headerListBytesMax else {
            responder.connectionFailed(.headerListTooLarge)
            state.bodyExceeded()
            return write(.init(version: .http1_1, status: .requestHeaderFieldsTooLarge), body: [], on: context)
        }
        takesInterimAnswers = head.version == .http1_1
        // The client holds the body back until then (RFC 9110 §10.1.1).
        if takesInterimAnswers, head.expectsContinue { sendContinue(context) }
    }

    /// Whether a request says once which host it is for (RFC 9112 §3.2); HTTP/1.0 may leave it out.
    private static func hasHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { return head.version == .http1_0 }
        return hosts.count == 1 && WebPushOrigin(authority: host) != nil
    }

    private func sendContinue(_ context: ChannelHandlerContext) {
        let interim = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
    }

    private func append(name: String, value: String) {
        guard name.lowercased() == FieldName.authorization.text else { return request.headers.append(name, value) }
        request.headers.appendAuthorization(valueCount: value.utf8.count)
        if request.authorization == nil { request.authorization = AuthorizationValue(Array(value.utf8)) }
    }

    private func append(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard state.isReceiving else { return }
        let room = bodyBytesMax - request.body.count
        request.body.append(contentsOf: bytes.readableBytesView.prefix(room))
        guard bytes.readableBytes > room else { return }
        request.exceedLimit(received: bodyBytesMax - room + bytes.readableBytes)
        state.bodyExceeded()
        answer(context)
    }

    private func answerOnceWritable(_ context: ChannelHandlerContext) {
        awaitsRoom = !context.channel.isWritable
        if !awaitsRoom { answer(context) }
    }

    private func answer(_ context: ChannelHandlerContext) {
        state.judged()
        counter.countPush()
        send(responder.answer(to: request, stream: 0), context)
    }

    private func watchRequest(_ context: ChannelHandlerContext) {
        guard requestTimer == nil, state.isInRequest(bytesIn: counter.traffic.bytesIn) else { return }
        let count = state.requestCount
        requestTimer = context.schedule(in: limits.requestTimeout) {
            self.requestTimer = nil
            // The time when the next request began is unknown, so only a request without other bytes counts.
            guard self.state.isInRequest(bytesIn: self.counter.traffic.bytesIn), count == self.state.requestCount else {
                return self.watchRequest(context)
            }
            self.responder.connectionFailed(.requestsTimedOut(1))
            self.end()
            self.counter.closeByTimeout()
        }
    }

    // MARK: Answers

    private func send(_ answer: PushResponse, _ context: ChannelHandlerContext) {
        switch answer {
        case .reply(let reply): send(reply, context)
        case .withheld: context.channel.allowHalfClosure(true)
        case .stalled: break
        case .act(let fault, let reply): perform(fault, with: reply, context)
        }
    }

    /// Carries out a fault's nearest equivalent in HTTP/1.1, with the fault's reply to the current request.
    private func perform(_ fault: WireFault, with reply: Reply?, _ context: ChannelHandlerContext) {
        switch fault {
        case .settings, .withholdWindow, .ignorePing: send(reply, context)
        case .goAway(let goAway):
            switch goAway.close {
            case .afterStreams:
                _ = state.shutDown()
                // Without a reply the connection ends: no request is left whose answer would be awaited.
                if reply == nil { end(.fin, context) } else { send(reply, context) }
            case .atOnce: end(.fin, context)
            case .never: end(.halfOpen, context)
            }
        case .resetStream(_, let afterHeaders):
            if afterHeaders { sendHead(of: reply, context) }
            end(.rst, context)
        case .truncate: sendHead(of: reply, context)
        case .malformedFrame, .oversizedFrame: end(.fin, context)
        case .close(let how, afterBytes: nil):
            send(reply, context)
            end(how, context)
        case .close, .throttle:
            performTransport(fault, context)
            send(reply, context)
        }
    }

    private func end(_ how: WireClose.How, _ context: ChannelHandlerContext) {
        performTransport(.close(how, afterBytes: nil), context)
    }

    private func performTransport(_ fault: WireFault, _ context: ChannelHandlerContext) {
        if !state.isClosed { context.performTransport(fault, limits) }
    }

    private func send(_ reply: Reply?, _ context: ChannelHandlerContext) {
        guard let reply else { return }
        if reply.effect.goAway != nil { _ = state.shutDown() }
        write(HTTPResponseHead(reply), body: reply.body, on: context)
    }

    /// Sends a reply's head, which announces a body, without the body.
    private func sendHead(of reply: Reply?, _ context: ChannelHandlerContext) {
        guard let reply else { return }
        hasCutOffReply = true
        _ = state.replied()
        var head = HTTPResponseHead(reply)
        head.headers.replaceOrAdd(name: "content-length", value: "\(max(reply.body.count, 1))")
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func write(_ head: HTTPResponseHead, body: [UInt8], on context: ChannelHandlerContext) {
        let closes = state.replied()
        var head = head
        if !head.headers.contains(name: "content-length") {
            head.headers.add(name: "content-length", value: "\(body.count)")
        }
        if closes { head.headers.add(name: "connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty, !request.isHead {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            if closes { context.close(promise: nil) }
        }
    }

    // MARK: The end

    /// Ends the connection after the reply to the current request, or when `time` is over.
    private func shutDown(grace time: TimeAmount, _ context: ChannelHandlerContext) {
        guard !context.releaseTransport(in: time) else { return }
        guard !state.shutDown() else { return context.close(promise: nil) }
        grace?.cancel()
        grace = context.schedule(in: time) { context.close(promise: nil) }
    }

    /// Handles the peer's half-close: the connection closes once it has sent the answer that is withheld.
    ///
    /// An interim answer now and then finds out whether the peer is still there: if not, it resets the connection.
    private func inputEnded(_ context: ChannelHandlerContext) {
        guard !state.inputEnded() else { return context.close(promise: nil) }
        guard takesInterimAnswers else { return }
        context.schedule(every: limits.seekTime) {
            if self.state.isWithheld { self.sendContinue(context) }
            return self.state.isWithheld
        }
    }

    private func end() {
        guard state.close() else { return }
        grace?.cancel()
        requestTimer?.cancel()
        responder.connectionClosed(counter.traffic)
    }
}

extension HTTPParserError {
    /// What is wrong and what was expected, a line.
    fileprivate var sentence: String {
        switch self {
        case .invalidMethod:
            "HTTP/1.1 has no such method: expected POST, in capital letters (RFC 9110 section 9.1)\n"
        case .invalidURL:
            "the target has a character that no URL has: expected it percent-encoded (RFC 3986 section 2.1)\n"
        default: "no request of HTTP/1.1: \(self) (RFC 9112)\n"
        }
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for 100 (Continue) before it sends the body.
    fileprivate var expectsContinue: Bool {
        headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}

extension HTTPResponseHead {
    /// The head of a reply: its status and fields, without the fields of HTTP/1.1 itself.
    fileprivate init(_ reply: Reply) {
        var fields = [("apns-id", reply.notificationID.text)]
        if let uniqueID = reply.uniqueID { fields.append(("apns-unique-id", uniqueID.text)) }
        if reply.sendsContentType { fields.append(("content-type", "application/json")) }
        self.init(
            version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status),
            headers: HTTPHeaders(reply.fields?.map { ($0.name, $0.value) } ?? fields))
    }
}

/// Counts the bytes of an HTTP/1.1 connection, below NIO's codec and above TLS.
final class HTTP1TrafficCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let loop: WireLoop
    private var context: ChannelHandlerContext?
    private let responder: any PushResponder
    private var replyTimer = ReplyTimer()
    private(set) var traffic = ConnectionTraffic()

    private let isInsideTLS: Bool

    init(loop: WireLoop, responder: any PushResponder, isInsideTLS: Bool) {
        self.loop = loop
        self.responder = responder
        self.isInsideTLS = isInsideTLS
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Answers 408, bypassing the codec, which knows of no request yet, and closes.
    func closeByTimeout() {
        guard let context else { return }
        let answer = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        let bytes = IOData.byteBuffer(context.channel.allocator.buffer(string: answer))
        write(context: context, data: wrapOutboundOut(bytes), promise: nil)
        context.flush()
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        traffic.bytesIn += unwrapInboundIn(data).readableBytes
        replyTimer.bytesRead()
        // Inside TLS the bytes were recorded when they came from the socket.
        if !isInsideTLS { responder.bytesArrived() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        traffic.bytesOut += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
        replyTimer.handedOver(to: &loop.latency)
    }

    func countPush() {
        traffic.pushes += 1
        replyTimer.answered(1)
    }
}
