internal import APNsRules
internal import NIOCore
internal import NIOHTTP1

/// The requests of an HTTP/1.1 connection on the cleartext port, through the same rules as HTTP/2.
///
/// APNs itself speaks no HTTP/1.1; this is for clients that take an `http://` address (`clients.md`).
final class HTTP1Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: any PushResponder
    private let facts: ConnectionFacts
    private let counter: HTTP1TrafficCounter
    private let limits: ConnectionLimits
    private let openingActs: [WireAct]
    private var request = PushRequest()
    private var bodyBytesMax = 0
    private var keepsAlive = true
    // Whether the request at hand has been put to the rules, and whether it has its answer, which may come later.
    private var isJudged = true
    private var isAnswered = true
    /// Whether the connection ends with the request at hand, or at once where there is none.
    var isShuttingDown = false
    private var hasEnded = false
    private var grace: Scheduled<Void>?
    // What had been read when the last request was complete.
    private var bytesBefore = 0
    private var requestCount = 0
    private var requestTimer: Scheduled<Void>?

    init(
        responder: any PushResponder, facts: ConnectionFacts, counter: HTTP1TrafficCounter, limits: ConnectionLimits,
        openingActs: [WireAct]
    ) {
        self.responder = responder
        self.facts = facts
        self.counter = counter
        self.limits = limits
        self.openingActs = openingActs
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // The stream limit is HTTP/2's alone. HTTP/1.1 can't say why a connection is refused.
        guard case .refuse(let reason) = responder.connectionOpened(facts) else {
            for act in openingActs { perform(act, with: nil, context) }
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
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            // An answer that is withheld ends the connection; nothing else is owed.
            isShuttingDown = true
            if isAnswered || !isJudged { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        grace?.cancel()
        requestTimer?.cancel()
        responder.connectionClosed(counter.traffic)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): append(bytes, context)
        case .end:
            bytesBefore = counter.traffic.bytesIn
            requestCount += 1
            if !isJudged { answer(context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watchRequest(context)
        context.fireChannelReadComplete()
    }

    /// Sees to it that a request which takes too long is ended.
    private func watchRequest(_ context: ChannelHandlerContext) {
        guard requestTimer == nil, isReceiving else { return }
        let count = requestCount
        requestTimer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.requestTimeout) {
            self.requestTimer = nil
            // Of the next request nobody knows when it began.
            guard self.isReceiving, count == self.requestCount else { return self.watchRequest(context) }
            self.responder.connectionFailed(.requestsTimedOut(1))
            self.end()
            self.counter.closeByTimeout()
        }
    }

    /// Whether the bytes read last belong to a request that is not complete.
    private var isReceiving: Bool {
        !hasEnded && !(isJudged && !isAnswered) && counter.traffic.bytesIn > bytesBefore
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, !hasEnded {
            responder.connectionFailed(.protocolViolation("not HTTP/1.1: \(error)"))
        }
        context.close(promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case ConnectionCommand.shutDown(_, let grace):
            shutDown(grace: TimeAmount(grace), context)
            promise?.succeed()
        case ConnectionCommand.abort: context.abort(promise)
        case ConnectionCommand.answer(_, let answer):
            if !isAnswered {
                context.channel.allowHalfClosure(false)
                send(answer, context)
            }
            promise?.succeed()
        case ConnectionCommand.act(let act) where act.overHTTP1 == .replyAndEnd && !isAnswered:
            isShuttingDown = true
            promise?.succeed()
        case ConnectionCommand.act(let act):
            perform(act, with: nil, context)
            promise?.succeed()
        case ConnectionCommand.inspect(let answer):
            answer(counter.traffic)
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    /// Ends the connection with the answer to the request at hand, for which there is so long.
    private func shutDown(grace time: TimeAmount, _ context: ChannelHandlerContext) {
        guard !context.letTransportGo(in: time) else { return }
        isShuttingDown = true
        guard !isAnswered else { return context.close(promise: nil) }
        grace?.cancel()
        grace = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        request = PushRequest()
        isJudged = false
        isAnswered = false
        // NIO's decoder takes what follows an upgrade for the other protocol, although the answer declines it.
        keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
        request.headers.append(":method", head.method.rawValue)
        request.headers.append(":scheme", "http")
        request.headers.append(":path", head.uri)
        for field in head.headers { append(name: field.name, value: field.value) }
        bodyBytesMax = PushRequest.bodyBytesMax(request.headers)
        guard request.headers.listSize <= Limits.headerListBytesMax else {
            responder.connectionFailed(.headerListTooLarge)
            isJudged = true
            return write(.requestHeaderFieldsTooLarge, HTTPHeaders(), [], closes: true, context)
        }
        if head.expectsContinue {
            // The client holds the body back until then (RFC 9110 §10.1.1).
            let interim = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
    }

    private func append(name: String, value: String) {
        guard name.lowercased() == FieldName.authorization.text else {
            request.headers.append(name, value)
            return
        }
        request.headers.appendAuthorization(valueCount: value.utf8.count)
        if request.authorization == nil { request.authorization = AuthorizationValue(Array(value.utf8)) }
    }

    private func append(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isJudged else { return }
        let room = bodyBytesMax - request.body.count
        request.body.append(contentsOf: bytes.readableBytesView.prefix(room))
        guard bytes.readableBytes > room else { return }
        request.exceedLimit(received: bodyBytesMax - room + bytes.readableBytes)
        // The rest of the body is not wanted, and HTTP/1.1 knows no other way to say so.
        keepsAlive = false
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        isJudged = true
        counter.countPush()
        send(responder.answer(to: request, stream: 0), context)
    }

    private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
        switch answer {
        case .reply(let reply): send(reply, context)
        case .withheld: context.channel.allowHalfClosure(true)
        case .stalled: break
        case .act(let act, let reply): perform(act, with: reply, context)
        }
    }

    /// Sends a reply to the request at hand.
    func send(_ reply: Reply, _ context: ChannelHandlerContext) {
        if reply.effect.goAway != nil { isShuttingDown = true }
        write(
            HTTPResponseStatus(statusCode: reply.status), HTTPHeaders(reply), reply.body, closes: !keepsAlive, context)
    }

    /// Sends the head of a reply, which announces a body, and nothing of that.
    func sendHead(of reply: Reply, _ context: ChannelHandlerContext) {
        isAnswered = true
        var headers = HTTPHeaders(reply)
        headers.replaceOrAdd(name: "content-length", value: String(max(reply.body.count, 1)))
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// The connection's transport as a fault governs it; `nil` when the connection is gone.
    func governedTransport(_ context: ChannelHandlerContext) -> TransportHandler? {
        hasEnded ? nil : context.governTransport(limits)
    }

    private func write(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: [UInt8], closes: Bool,
        _ context: ChannelHandlerContext
    ) {
        isAnswered = true
        var headers = headers
        if !headers.contains(name: "content-length") {
            headers.add(name: "content-length", value: String(body.count))
        }
        let closes = closes || isShuttingDown
        if closes { headers.add(name: "connection", value: "close") }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if !body.isEmpty { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            if closes { context.close(promise: nil) }
        }
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for 100 before it sends the body, which HTTP/1.0 does not know.
    fileprivate var expectsContinue: Bool {
        version == .http1_1 && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}

extension HTTPHeaders {
    /// A reply's fields, but for those that belong to HTTP/1.1 itself.
    fileprivate init(_ reply: Reply) {
        if let fields = reply.fields {
            self.init(fields.map { ($0.name, $0.value) })
            return
        }
        self.init([("apns-id", reply.notificationID.text)])
        if let uniqueID = reply.uniqueID { add(name: "apns-unique-id", value: uniqueID.text) }
        if reply.sendsContentType { add(name: "content-type", value: "application/json") }
    }
}
