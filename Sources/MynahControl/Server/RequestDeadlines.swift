internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Closes connections of the control API that are too slow to send a request or to close, because the number of
/// connections is limited.
///
/// Input other than HTTP, and connections above the limit, are answered with a problem document.
final class RequestDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ListenerLimits
    private let hasPlace: Bool
    private let register: (any Channel) -> Void
    private var deadline: Scheduled<Void>?
    private var isOver = false
    // Requests whose answers are not written yet.
    private var unanswered = 0
    private var closesAfterAnswer = false
    // Whether the last request asked for another protocol.
    private var wasUpgradeAsked = false

    /// - Parameter register: Called with the connection before anything else.
    init(_ limits: ListenerLimits, hasPlace: Bool, register: @escaping (any Channel) -> Void) {
        (self.limits, self.hasPlace, self.register) = (limits, hasPlace, register)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        register(context.channel)
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

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var part = unwrapInboundIn(data)
        switch part {
        case .head(var head):
            unanswered += 1
            close(context, in: limits.bodyTimeout)
            // NIO's decoder takes further bytes for the other protocol, although the answer declines it (RFC 9110 §7.8):
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
            // The last answer is written; further input is ignored.
            isOver = true
            close(context, in: limits.closeTimeout)
        }
        context.close(mode: mode, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = Problem(requestError: error), unanswered == 0, !isOver else {
            return context.fireErrorCaught(error)
        }
        refuse(problem, context)
    }

    private func start(_ context: ChannelHandlerContext) {
        guard deadline == nil, !isOver else { return }
        guard !hasPlace else { return close(context, in: limits.firstHeadTimeout) }
        let problem = "too many connections to the control API: expected at most \(limits.connectionsMax)"
        refuse(Problem(.unavailable, problem), context)
    }

    /// Answers without a request, and closes.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        isOver = true
        var head = HTTPResponse(status: problem.kind.status, headerFields: problem.fields)
        let body = ByteBuffer(bytes: problem.document.encoded)
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        // Closing both sides would send a reset if the caller has sent more, and the answer would be lost.
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
    /// The problem of a request that can't be parsed, or `nil` for other errors.
    init?(requestError error: any Error) {
        guard let error = error as? HTTPParserError else { return nil }
        switch error {
        case .headerOverflow:
            self.init(
                .longHead,
                "the request's head is too long: expected at most \(ListenerLimits.fieldsMax) fields, "
                    + "\(ListenerLimits.fieldBytesMax) bytes in each and in the URL, and "
                    + "\(ListenerLimits.fieldsBytesMax) in all")
        default:
            self.init(.malformedRequest, "malformed request: expected HTTP/1.1 (\(error))")
        }
    }
}
