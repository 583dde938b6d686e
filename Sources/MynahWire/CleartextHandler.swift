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

    /// A connection that has not said anything yet.
    package init(loop: WireLoop, responder: any PushResponder, facts: ConnectionFacts, limits: ConnectionLimits) {
        self.loop = loop
        self.responder = responder
        self.facts = facts
        self.limits = limits
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.handshakeTimeout) {
            self.responder.connectionFailed(.handshakeTimedOut)
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
            context.close(promise: promise)
        case ConnectionCommand.abort: context.channel.resetAndClose(promise)
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        let start = received.readableBytesView.prefix(CleartextHandler.preface.count)
        if start.elementsEqual(CleartextHandler.preface) {
            handOver(context) { pipeline in
                let handler = try ConnectionHandler(
                    loop: self.loop, usesTLS: false, responder: self.responder, facts: self.facts, limits: self.limits)
                try pipeline.addHandler(handler)
            }
        } else if !start.elementsEqual(CleartextHandler.preface.prefix(start.count)) {
            handOver(context) { pipeline in
                let counter = HTTP1TrafficCounter(loop: self.loop, responder: self.responder)
                try pipeline.addHandler(counter)
                try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
                try pipeline.addHandler(
                    HTTP1Handler(responder: self.responder, facts: self.facts, counter: counter))
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
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
