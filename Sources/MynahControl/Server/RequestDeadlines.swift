internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Closes connections of the control API that are too slow to send a request or to close, because the number of
/// connections is limited.
///
/// Input other than HTTP, and connections above the limit but for probes, are answered with a problem document. A request
/// waits here until the one before it is answered, and is not read any more if that answer is the connection's last
/// (RFC 9112 §9.6).
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
    // Whether a request has been passed on and its answer is not written yet.
    private var isAnswering = false
    private var isLastAnswer = false
    // Whether the request that is being answered asked for another protocol, or waits.
    private var closesAfterAnswer = false
    private var held = CircularBuffer<HTTPRequestPart>()
    private var heldBytes = 0
    private var isReadHeld = false
    // Whether the caller has closed its side behind the requests that are held.
    private var isInputClosed = false
    // Whether its place was wanted before it was active.
    private var isRoomWanted = false

    /// - Parameter register: Called with the connection before anything else.
    init(_ limits: ListenerLimits, hasPlace: Bool, register: @escaping (any Channel) -> Void) {
        self.limits = limits
        self.hasPlace = hasPlace
        self.register = register
    }

    func handlerAdded(context: ChannelHandlerContext) {
        register(context.channel)
        do { try HTTP10Handler.add(to: context.pipeline) } catch {
            preconditionFailure("the parser is missing: \(error)")
        }
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
        guard !isOver, !isLastAnswer else { return }
        let part = unwrapInboundIn(data)
        let isNext = if case .head = part { isAnswering } else { false }
        guard isNext || !held.isEmpty else { return pass(part, context) }
        // Behind a call that waits nothing else is answered.
        guard !closesAfterAnswer else { return }
        held.append(part)
        if case .body(let bytes) = part { heldBytes += bytes.readableBytes }
        heldBytes += 1
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        var part = part
        switch part {
        case .head(var head):
            guard hasPlace || RequestDeadlines.isProbe(head) else { return refuse(tooMany, context) }
            isAnswering = true
            close(context, in: limits.bodyTimeout)
            // NIO's decoder takes further bytes for the other protocol, although the answer declines it (RFC 9110 §7.8):
            // this answer is the connection's last.
            closesAfterAnswer = head.headerFields[.upgrade] != nil || !hasPlace
            if closesAfterAnswer {
                head.headerFields[.connection] = "close"
                part = .head(head)
            }
        case .body: break
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Whether a request has room of its own.
    ///
    /// Probes have, because who gets no answer to one ends the server; and metrics, which are wanted most when there is no
    /// other room. A body, for which the connection would stay, is none of a probe's.
    private static func isProbe(_ head: HTTPRequest) -> Bool {
        let hasBody =
            head.headerFields[.transferEncoding] != nil || head.headerFields[.contentLength].map { $0 != "0" } == true
        guard [.get, .head].contains(head.method), !hasBody, let path = head.path?.prefix(while: { $0 != "?" }) else {
            return false
        }
        return path == "/metrics" || Route.probeNames.contains { path == "/\($0)" }
    }

    /// Passes on what is held of the next request.
    private func release(_ context: ChannelHandlerContext) {
        guard !isOver, !isLastAnswer, !held.isEmpty else { return }
        while let part = held.first {
            if case .head = part, isAnswering { break }
            held.removeFirst()
            pass(part, context)
        }
        context.fireChannelReadComplete()
        if held.isEmpty { endHolding(context) }
    }

    private func endHolding(_ context: ChannelHandlerContext) {
        held.removeAll()
        heldBytes = 0
        if isInputClosed {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    func read(context: ChannelHandlerContext) {
        if heldBytes < ListenerLimits.heldBytesMax { context.read() } else { isReadHeld = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is RoomIsWanted:
            // Before that nothing that is written arrives.
            guard context.channel.isActive else {
                isRoomWanted = true
                return
            }
            makeRoom(context)
        case let closing as ChannelEvent where closing == .inputClosed && !held.isEmpty: isInputClosed = true
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is WaitingCall else { return context.triggerUserOutboundEvent(event, promise: promise) }
        closesAfterAnswer = true
        endHolding(context)
        promise?.succeed()
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
            if closesAfterAnswer {
                head.headerFields[.connection] = "close"
                part = .head(head)
            }
            isLastAnswer = head.headerFields[.connection]?.lowercased() == "close"
        case .body: break
        case .end:
            isAnswering = false
            guard isLastAnswer else {
                if !held.isEmpty { context.eventLoop.assumeIsolated().execute { self.release(context) } }
                break
            }
            held.removeAll()
            return writeLast(part, context, promise)
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    private func writeLast(
        _ part: HTTPResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(part), promise: written)
        close(context, in: limits.closeTimeout)
        written.futureResult.assumeIsolated().whenComplete { _ in
            guard !self.isOver else { return }
            self.isOver = true
            // Closing both sides would send a reset if the caller has sent more, and the answer would be lost.
            context.close(mode: .output, promise: nil)
        }
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
        guard let problem = Problem(requestError: error), !isAnswering, !isOver else {
            return context.fireErrorCaught(error)
        }
        refuse(problem, context)
    }

    private func start(_ context: ChannelHandlerContext) {
        guard deadline == nil, !isOver else { return }
        guard !isRoomWanted else { return makeRoom(context) }
        close(context, in: hasPlace ? limits.firstHeadTimeout : limits.headAboveTimeout)
    }

    /// Refuses what is not being answered, and closes.
    private func makeRoom(_ context: ChannelHandlerContext) {
        guard !isAnswering else { return }
        // What is written arrives, because nothing that was sent is left unread.
        if !isOver { refuse(tooMany, context) }
        close(context, in: .zero)
    }

    private var tooMany: Problem {
        Problem(
            .unavailable,
            "too many connections to the control API: expected at most \(limits.connectionsMax) besides probes and metrics"
        )
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
        // As in writeLast.
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
        }
        close(context, in: limits.closeTimeout)
    }

    private func close(_ context: ChannelHandlerContext, in time: Duration) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            // Above the limit silence is refused, too.
            guard self.isOver || self.hasPlace || self.isAnswering else { return self.refuse(self.tooMany, context) }
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
