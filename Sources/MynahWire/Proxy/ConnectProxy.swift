internal import MynahSystem
package import NIOCore
internal import NIOPosix

/// The beginning of a connection to the proxy: reads the CONNECT, answers it, adds the handlers for what follows, and
/// leaves the pipeline (RFC 9110 §9.3.6).
///
/// A connection to this server continues in the same channel: its TLS handlers see the bytes after the CONNECT as if it
/// had just been accepted. Any other becomes a tunnel. A refusal ends the connection, so that no bytes can pass as
/// another request.
package final class ConnectProxy: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum State {
        case reading
        /// Waits for the connection to the target, without reading from the client.
        case connecting
        /// The refusal has been sent; input is dropped.
        case refused
        /// Other handlers have taken over the connection, or it has ended.
        case left
    }

    private let owner: any ProxyOwner
    private let limits: ProxyLimits
    private var state = State.reading
    private var head: ConnectHead
    // Bytes after the head that arrived before their handler was added.
    private var early = ByteBuffer()
    private var inputHasEnded = false
    private var holdsRead = false
    private var droppedBytes = 0
    private var deadline: Scheduled<Void>?

    package init(owner: any ProxyOwner, limits: ProxyLimits) {
        self.owner = owner
        self.limits = limits
        self.head = ConnectHead(bytesMax: limits.headBytesMax)
    }

    // MARK: Channel

    package func handlerAdded(context: ChannelHandlerContext) {
        // A half-closed client still reads the answer.
        context.channel.allowHalfClosure(true)
        deadline = context.schedule(in: limits.headTimeout) {
            self.refuse(.headTimedOut(seconds: self.limits.headTimeout.seconds), context)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        state = .left
        deadline?.cancel()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of the socket, such as a reset by the peer: nothing more can be sent.
        context.close(promise: nil)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            switch state {
            // Opened in advance, or as a port check: there is no request to refuse.
            case .reading where head.isEmpty: context.close(promise: nil)
            case .reading: refuse(.malformed("the request ended before its empty line"), context)
            case .refused: context.close(promise: nil)
            case .connecting, .left: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        if case ProxyCommand.stop? = event as? ProxyCommand {
            context.close(promise: promise)
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    package func read(context: ChannelHandlerContext) {
        if state == .connecting { holdsRead = true } else { context.read() }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        switch state {
        case .reading:
            var bytes = Array(buffer.readableBytesView)[...]
            do throws(ProxyRefusal) {
                guard let target = try head.read(&bytes) else { return }
                early.writeBytes(bytes)
                try follow(target, context)
            } catch {
                refuse(error, context)
            }
        case .connecting: early.writeImmutableBuffer(buffer)
        case .refused:
            droppedBytes += buffer.readableBytes
            if droppedBytes > limits.lingerBytesMax { context.close(promise: nil) }
        case .left: context.fireChannelRead(data)
        }
    }

    // MARK: Destination

    private func follow(_ target: ConnectTarget, _ context: ChannelHandlerContext) throws(ProxyRefusal) {
        deadline?.cancel()
        switch try owner.destination(of: target, for: context.channel) {
        case .server: handOver(target, context)
        case .tunnel: connect(target, context)
        }
    }

    private func handOver(_ target: ConnectTarget, _ context: ChannelHandlerContext) {
        state = .left
        context.channel.allowHalfClosure(false)
        // Before the server's handlers are added, so that faults don't apply to it.
        writeEstablished(context)
        guard context.channel.isActive else { return }
        owner.accept(context.channel, for: target)
        if context.channel.isActive { leave(context) }
    }

    private func connect(_ target: ConnectTarget, _ context: ChannelHandlerContext) {
        state = .connecting
        let silenceMax = limits.halfClosedTimeout
        context.channel.closeFuture.whenComplete { [owner] _ in owner.tunnelEnded() }
        ClientBootstrap(group: context.eventLoop)
            .connectTimeout(limits.connectTimeout)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TunnelHandler(silenceMax: silenceMax))
                }
            }
            .connect(host: target.host, port: target.port)
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel): self.join(channel, to: target, on: context)
                case .failure(let error): self.refuse(self.refusal(of: target, for: error), context)
                }
            }
    }

    private func join(_ channel: any Channel, to target: ConnectTarget, on context: ChannelHandlerContext) {
        guard state == .connecting, context.channel.isActive else { return channel.close(promise: nil) }
        let near = TunnelHandler(silenceMax: limits.halfClosedTimeout)
        let targetEnd: TunnelHandler
        do {
            targetEnd = try channel.pipeline.syncOperations.handler(type: TunnelHandler.self)
            try context.channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
            try context.pipeline.syncOperations.addHandler(near)
        } catch {
            channel.close(promise: nil)
            return refuse(.unreachable(target, "the connection ended at once"), context)
        }
        state = .left
        writeEstablished(context)
        near.join(targetEnd)
        leave(context)
        if holdsRead { context.channel.read() }
    }

    private func refusal(of target: ConnectTarget, for error: any Error) -> ProxyRefusal {
        let failures = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
        let codes = failures.compactMap { ($0 as? IOError)?.errnoCode }
        let timedOut = failures.contains { if case ChannelError.connectTimeout = $0 { true } else { false } }
        guard !timedOut, codes.last != ETIMEDOUT else {
            return .connectTimedOut(target, seconds: limits.connectTimeout.seconds)
        }
        guard !failures.isEmpty else { return .unreachable(target, "no address is known for this name") }
        guard let code = codes.last else { return .unreachable(target, "the cause is unknown") }
        return .unreachable(target, String(cString: strerror(code)))
    }

    /// Passes on the bytes after the head, and leaves the pipeline.
    private func leave(_ context: ChannelHandlerContext) {
        context.passOn(early)
        if inputHasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    // MARK: Answers

    private func writeEstablished(_ context: ChannelHandlerContext) {
        write("HTTP/1.1 200 Connection established\r\n\r\n", context).assumeIsolated().whenFailure { _ in
            context.close(promise: nil)
        }
    }

    private func refuse(_ refusal: ProxyRefusal, _ context: ChannelHandlerContext) {
        guard state == .reading || state == .connecting else { return }
        state = .refused
        deadline?.cancel()
        early = ByteBuffer()
        owner.refused(refusal, context.channel)
        deadline = context.schedule(in: limits.lingerTimeout) { context.close(promise: nil) }
        // A socket that is closed with unread bytes is reset, and the client might lose the answer.
        write(refusal.answer, context).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
        }
        guard holdsRead else { return }
        holdsRead = false
        context.read()
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)))
    }
}
