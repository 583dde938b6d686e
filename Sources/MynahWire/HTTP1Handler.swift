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
    private var request = PushRequest()
    private var bodyBytesMax = 0
    private var keepsAlive = true
    private var isAnswered = true
    private var isShuttingDown = false

    init(responder: any PushResponder, facts: ConnectionFacts, counter: HTTP1TrafficCounter) {
        self.responder = responder
        self.facts = facts
        self.counter = counter
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // The stream limit is HTTP/2's alone. HTTP/1.1 can't say why a connection is refused.
        guard case .refuse(let reason) = responder.connectionOpened(facts) else { return }
        responder.connectionFailed(.refusedAtOpening(reason))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        responder.connectionClosed(counter.traffic)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): append(bytes, context)
        case .end:
            if !isAnswered { answer(context) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { responder.connectionFailed(.protocolViolation("not HTTP/1.1: \(error)")) }
        context.close(promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case ConnectionCommand.shutDown:
            isShuttingDown = true
            if isAnswered { context.close(promise: nil) }
            promise?.succeed()
        case ConnectionCommand.abort: context.channel.resetAndClose(promise)
        case ConnectionCommand.inspect(let answer):
            answer(counter.traffic)
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        request = PushRequest()
        isAnswered = false
        keepsAlive = head.isKeepAlive
        request.headers.append(":method", head.method.rawValue)
        request.headers.append(":scheme", "http")
        request.headers.append(":path", head.uri)
        for field in head.headers { append(name: field.name, value: field.value) }
        bodyBytesMax = PushRequest.bodyBytesMax(request.headers)
        guard request.headers.listSize > Limits.headerListBytesMax else { return }
        responder.connectionFailed(.headerListTooLarge)
        write(.requestHeaderFieldsTooLarge, HTTPHeaders(), [], closes: true, context)
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
        guard !isAnswered else { return }
        let room = bodyBytesMax - request.body.count
        request.body.append(contentsOf: bytes.readableBytesView.prefix(room))
        guard bytes.readableBytes > room else { return }
        request.bodyState = .exceedsLimit
        // The rest of the body is not wanted, and HTTP/1.1 knows no other way to say so.
        keepsAlive = false
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        let reply = responder.reply(to: request, stream: 0)
        counter.countPush()
        if reply.effect.goAway != nil { isShuttingDown = true }
        var headers = HTTPHeaders([("apns-id", reply.notificationID.text)])
        if let uniqueID = reply.uniqueID { headers.add(name: "apns-unique-id", value: uniqueID.text) }
        if reply.sendsContentType { headers.add(name: "content-type", value: "application/json") }
        write(HTTPResponseStatus(statusCode: reply.status), headers, reply.body, closes: !keepsAlive, context)
    }

    private func write(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: [UInt8], closes: Bool,
        _ context: ChannelHandlerContext
    ) {
        isAnswered = true
        var headers = headers
        headers.add(name: "content-length", value: String(body.count))
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
