internal import APNsRules
package import NIOCore
internal import NIOHTTP1

/// Tells by the first bytes of a cleartext connection whether it speaks HTTP/2 with prior knowledge
/// (RFC 9113 §3.3) or HTTP/1.1, puts the right handlers in place, and leaves.
package final class CleartextHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    // Enough of the preface to tell it from every HTTP/1.1 method.
    private static let preface: [UInt8] = Array("PRI ".utf8)

    private let loop: WireLoop
    private let responder: any PushResponder
    private let facts: ConnectionFacts
    private let limits: ConnectionLimits
    private var received = ByteBuffer()
    private var deadline: Scheduled<Void>?
    // What a fault wants as soon as the connection is open.
    private var openingActs: [WireAct] = []
    private var state = State.awaited

    private enum State {
        // Nothing has come.
        case awaited
        // A fault has what came wait for its answer, or never have one.
        case held
        // What comes is looked at.
        case begun
    }

    /// A connection that has not said anything yet.
    package init(loop: WireLoop, responder: any PushResponder, facts: ConnectionFacts, limits: ConnectionLimits) {
        self.loop = loop
        self.responder = responder
        self.facts = facts
        self.limits = limits
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        limitHandshake(context)
    }

    private func limitHandshake(_ context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.handshakeTimeout) {
            // Nobody is to answer.
            guard context.transport?.isSilent != true else { return }
            self.responder.connectionFailed(.nothingSent)
            context.close(promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event {
        case ConnectionCommand.shutDown:
            // Nothing was said that could be answered.
            context.transport?.letGo()
            context.close(promise: promise)
        case ConnectionCommand.abort: context.abort(promise)
        case ConnectionCommand.act(let act):
            if act.concernsTransport { govern(act, context) } else { openingActs.append(act) }
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        switch state {
        case .awaited: begin(context)
        case .held:
            guard received.readableBytes > limits.heldBytesMax else { return }
            responder.connectionFailed(
                .protocolViolation("the client sent \(received.readableBytes) bytes and had no answer yet"))
            context.close(promise: nil)
        case .begun: look(context)
        }
    }

    /// Asks what becomes of a connection whose first bytes have come.
    private func begin(_ context: ChannelHandlerContext) {
        state = .begun
        switch responder.handshakeBegins(serverName: nil) {
        case .proceed: look(context)
        case .act(let act):
            openingActs.append(act)
            look(context)
        // Without TLS its faults are done to the connection that would have come to be.
        case .tls(.alert), .tls(.certificate): govern(.close(.fin, afterBytes: nil), context)
        case .tls(.stall): govern(.close(.halfOpen, afterBytes: nil), context)
        case .tls(.slow(let time)):
            state = .held
            deadline?.cancel()
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
                self.limitHandshake(context)
                self.state = .begun
                self.look(context)
            }
        }
    }

    private func govern(_ act: WireAct, _ context: ChannelHandlerContext) {
        context.governTransport(limits)?.perform(act)
    }

    /// Tells by what has come so far who is to speak.
    private func look(_ context: ChannelHandlerContext) {
        let start = received.readableBytesView.prefix(CleartextHandler.preface.count)
        if start.elementsEqual(CleartextHandler.preface) {
            handOver(context) { pipeline in
                let handler = try ConnectionHandler(
                    loop: self.loop, usesTLS: false, responder: self.responder, facts: self.facts, limits: self.limits,
                    openingActs: self.openingActs)
                try pipeline.addHandler(handler)
            }
        } else if !start.elementsEqual(CleartextHandler.preface.prefix(start.count)) {
            handOver(context) { pipeline in
                let counter = HTTP1TrafficCounter(loop: self.loop, responder: self.responder)
                try pipeline.addHandlers(counter, BackPressureHandler())
                try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
                try pipeline.addHandler(
                    HTTP1Handler(
                        responder: self.responder, facts: self.facts, counter: counter, limits: self.limits,
                        openingActs: self.openingActs))
            }
        }
    }

    private func handOver(
        _ context: ChannelHandlerContext, to install: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        deadline?.cancel()
        do {
            try install(context.pipeline.syncOperations)
        } catch {
            responder.connectionFailed(.protocolViolation("no memory for a connection: \(error)"))
            context.close(promise: nil)
            return
        }
        let bytes = received
        received = ByteBuffer()
        if context.transport?.isSilent != true {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
