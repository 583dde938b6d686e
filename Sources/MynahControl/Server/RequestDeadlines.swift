internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Sees to it that a connection of the control API asks in time: a head, a body, and its end; whoever dawdles is cut
/// off, since every connection takes a place.
///
/// Also answers what is no HTTP, and who comes when all places are taken, with a problem document.
final class RequestPace: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ListenerLimits
    private let hasPlace: Bool
    private var deadline: Scheduled<Void>?
    private var isOver = false
    // Requests whose answers are not written yet.
    private var unanswered = 0
    private var closesAfterAnswer = false
    // Whether the last request wanted another protocol.
    private var wasUpgradeAsked = false

    init(_ limits: ListenerLimits, hasPlace: Bool) {
        self.limits = limits
        self.hasPlace = hasPlace
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var head):
            unanswered += 1
            close(context, in: limits.bodyTimeout)
            // NIO's decoder takes what follows for the other protocol, although the answer declines it (RFC 9110 §7.8):
            // this answer is the connection's last.
            if head.headerFields[.upgrade] != nil {
                wasUpgradeAsked = true
                head.headerFields[.connection] = "close"
                part = .head(head)
            }
        case .body: break
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(let head) where head.status.kind == .informational: break
        case .head(var head):
            if wasUpgradeAsked, unanswered == 1 {
                head.headerFields[.connection] = "close"
                part = .head(head)
            }
            closesAfterAnswer = head.headerFields[.connection]?.lowercased() == "close"
        case .body: break
        case .end:
            unanswered -= 1
            if closesAfterAnswer { close(context, in: limits.closeTimeout) }
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            // The last answer is written; what the caller still sends is for nobody.
            isOver = true
            close(context, in: limits.closeTimeout)
        }
        context.close(mode: mode, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = Problem(requestError: error), unanswered == 0, !isOver else {
            context.fireErrorCaught(error)
            return
        }
        refuse(problem, context)
    }

    private func start(_ context: ChannelHandlerContext) {
        guard deadline == nil, !isOver else { return }
        if hasPlace {
            close(context, in: limits.firstHeadTimeout)
        } else {
            refuse(
                Problem(
                    .unavailable,
                    "\(limits.connectionsMax) connections to the control API are open, the most there may be; "
                        + "close some"),
                context)
        }
    }

    /// Answers before anybody asked, and closes.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        isOver = true
        var head = HTTPResponse(status: problem.kind.status, headerFields: problem.fields)
        let body = ByteBuffer(bytes: problem.document.encoded)
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        // What the caller has sent meanwhile would turn a close into a reset, which takes the answer with it.
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
        }
        close(context, in: limits.closeTimeout)
    }

    private func close(_ context: ChannelHandlerContext, in time: Duration) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.isOver = true
            context.close(promise: nil)
        }
    }
}

extension Problem {
    /// What is wrong with a request of which the parser can make nothing; `nil` for errors of another kind.
    init?(requestError error: any Error) {
        guard let error = error as? HTTPParserError else { return nil }
        switch error {
        case .headerOverflow:
            self.init(
                .longHead,
                "the request's head is too long: at most \(ListenerLimits.fieldsMax) fields, "
                    + "\(ListenerLimits.fieldBytesMax) bytes in one and in the URL, and "
                    + "\(ListenerLimits.fieldsBytesMax) in all")
        default:
            self.init(.malformedRequest, "what came is no request of HTTP/1.1: \(error)")
        }
    }
}
