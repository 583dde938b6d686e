package import APNsRules
package import NIOCore
internal import NIOHTTP1

/// Detects by the first bytes whether a connection without TLS, or one whose TLS another handler has, speaks HTTP/2 with
/// prior knowledge (RFC 9113 §3.3) or HTTP/1.1, adds the right handlers, and leaves the pipeline.
package final class CleartextHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    private enum State {
        case awaited
        /// A fault delays or withholds the answer to the first bytes.
        case held
        /// Waits for enough bytes to detect the protocol.
        case begun
    }

    // Enough of the preface to distinguish it from every HTTP/1.1 method.
    private static let preface: [UInt8] = Array("PRI ".utf8)

    private let loop: WireLoop
    private let responder: any PushResponder
    private let limits: ConnectionLimits
    private var received = ByteBuffer()
    private var deadline: Scheduled<Void>?
    private var openingFaults: [WireFault]
    private var state = State.awaited
    /// The handshake of a connection whose TLS another handler has.
    private let secured: TLSFacts?

    package init(
        loop: WireLoop, responder: any PushResponder, limits: ConnectionLimits, openingFaults: [WireFault] = [],
        secured: TLSFacts? = nil
    ) {
        self.loop = loop
        self.responder = responder
        self.limits = limits
        self.openingFaults = openingFaults
        self.secured = secured
        // What a fault does before the first bytes was decided when the handshake began.
        if secured != nil { state = .begun }
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if secured?.applicationProtocol == "http/1.1" { beginHTTP1(context) } else { limitHandshake(context) }
    }

    private func limitHandshake(_ context: ChannelHandlerContext) {
        deadline = context.schedule(in: limits.handshakeTimeout) {
            // Unless a fault keeps the server from answering.
            guard !context.isSilenced else { return }
            self.responder.connectionFailed(.nothingSent)
            context.close(promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event {
        case ConnectionCommand.shutDown:
            // The connection has no request to answer.
            context.transport?.release()
            context.close(promise: promise)
        case ConnectionCommand.abort: context.abort(promise)
        case ConnectionCommand.act(let fault):
            if fault.concernsTransport { context.performTransport(fault, limits) } else { openingFaults.append(fault) }
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
                .http1Violation("it sent \(received.readableBytes) bytes without waiting for an answer"))
            context.close(promise: nil)
        case .begun: detectProtocol(context)
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        state = .begun
        switch responder.handshakeBegins(serverName: nil, clientKind: nil) {
        case .proceed: detectProtocol(context)
        case .act(let fault):
            openingFaults.append(fault)
            detectProtocol(context)
        // In cleartext, faults of TLS become their nearest equivalents.
        case .tls(.alert), .tls(.certificate): context.performTransport(.close(.fin, afterBytes: nil), limits)
        case .tls(.stall): context.performTransport(.close(.halfOpen, afterBytes: nil), limits)
        case .tls(.slow(let time)):
            state = .held
            deadline?.cancel()
            deadline = context.schedule(in: TimeAmount(time)) {
                self.limitHandshake(context)
                self.state = .begun
                self.detectProtocol(context)
            }
        }
    }

    private func detectProtocol(_ context: ChannelHandlerContext) {
        let start = received.readableBytesView.prefix(CleartextHandler.preface.count)
        if start.elementsEqual(CleartextHandler.preface) {
            handOver(context) { pipeline in
                let handler = try ConnectionHandler(
                    loop: loop, usesTLS: false, responder: responder, limits: limits, openingFaults: openingFaults,
                    secured: secured)
                try pipeline.addHandler(handler)
            }
        } else if !start.elementsEqual(CleartextHandler.preface.prefix(start.count)) {
            beginHTTP1(context)
        }
    }

    private func beginHTTP1(_ context: ChannelHandlerContext) {
        handOver(context) { pipeline in
            let counter = HTTP1TrafficCounter(loop: loop, responder: responder, isInsideTLS: secured != nil)
            try pipeline.addHandlers(counter, BackPressureHandler())
            // ``HTTP1Handler`` answers what is no request, and says why.
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: false)
            try pipeline.addHandler(
                HTTP1Handler(
                    responder: responder, counter: counter, limits: limits, openingFaults: openingFaults,
                    secured: secured))
        }
    }

    private func handOver(
        _ context: ChannelHandlerContext, to install: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        deadline?.cancel()
        do {
            try install(context.pipeline.syncOperations)
        } catch {
            responder.connectionFailed(.noMemory("\(error)"))
            return context.close(promise: nil)
        }
        let bytes = received
        received = ByteBuffer()
        context.passOn(bytes)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
