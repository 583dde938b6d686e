internal import NIOCore

/// Decrypts input and encrypts output, after a handshake that ``ConnectionHandler`` has made, for handlers that know
/// nothing of TLS.
final class TLSFilter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// Until the first bytes inside TLS.
        case silent
        case spoken
        /// The peer's input has ended; there is nothing left to decrypt.
        case inputEnded
    }

    private var tls: TLSSession
    private let loop: WireLoop
    private let responder: any PushResponder
    private var state = State.silent
    private var context: ChannelHandlerContext?

    init(_ session: consuming TLSSession, loop: WireLoop, responder: any PushResponder) {
        tls = session
        self.loop = loop
        self.responder = responder
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends what the handshake has left to send, and decrypts what came with its last bytes.
    func begin() {
        guard let context else { return }
        if let rest = tls.takeOutput() { context.writeAndFlush(wrapOutboundOut(rest), promise: nil) }
        if decrypt(context) { context.fireChannelReadComplete() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        defer { loop.readBuffer.giveBack(buffer) }
        responder.bytesArrived()
        tls.receive(buffer)
        _ = decrypt(context)
    }

    /// Passes on what has come; returns whether there was something.
    private func decrypt(_ context: ChannelHandlerContext) -> Bool {
        var hasRead = false
        while state != .inputEnded, context.channel.isActive {
            switch tls.read(into: &loop.plaintext) {
            case .complete(let count):
                if state == .silent {
                    state = .spoken
                    responder.clientTrusts()
                }
                hasRead = true
                // A copy, because handlers keep what they read and call back into the session.
                let plaintext = context.channel.allocator.buffer(bytes: loop.plaintext[..<count])
                context.fireChannelRead(wrapInboundOut(plaintext))
            case .closed:
                endInput()
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            case .failed(let error):
                state = .inputEnded
                responder.connectionFailed(.tlsFailed(error.description))
                context.close(promise: nil)
            case .incomplete:
                // Such as the alert that refuses a renegotiation.
                if let answer = tls.takeOutput() { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
                return hasRead
            }
        }
        return hasRead
    }

    func channelInactive(context: ChannelHandlerContext) {
        endInput()
        context.fireChannelInactive()
    }

    /// Ends the input, and reports a client that hung up right after the handshake: some libraries check the server's
    /// certificate only then.
    private func endInput() {
        if state == .silent {
            let detail = "the client hung up right after the handshake, before any request"
            responder.connectionFailed(.handshakeFailed(HandshakeFailure(cause: .hungUp, detail: detail)))
        }
        state = .inputEnded
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let buffer = unwrapOutboundIn(data)
        // OpenSSL encrypts nothing only with an error; an empty write marks the end of those before it.
        guard buffer.readableBytes > 0 else { return context.write(data, promise: promise) }
        let written = buffer.withUnsafeReadableBytes { tls.write($0.bytes) }
        if case .failed(let error) = written {
            responder.connectionFailed(.tlsFailed(error.description))
            promise?.fail(error)
            return context.close(promise: nil)
        }
        guard let ciphertext = tls.takeOutput() else { return context.write(data, promise: promise) }
        context.write(wrapOutboundOut(ciphertext), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, context.channel.isActive {
            state = .inputEnded
            tls.sendCloseNotify()
            if let alert = tls.takeOutput() { context.writeAndFlush(wrapOutboundOut(alert), promise: nil) }
        }
        context.close(mode: mode, promise: promise)
    }
}
