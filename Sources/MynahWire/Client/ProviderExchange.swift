package import APNsRules
package import NIOCore
internal import NIOPosix

/// Sends one push as a provider does: one request on a connection with TLS and HTTP/2.
package enum ProviderExchange {
    package struct Request: Sendable {
        /// A name or an address.
        let host: String
        /// The name that the certificate is checked for; `nil` for the name in `host`.
        package var serverName: String?
        let port: Int
        let caPEM: [UInt8]
        package var identity: ClientIdentity?
        /// The only version of TLS to offer; `nil` offers both.
        package var version: TLSVersion?
        /// The request's fields, pseudo-headers first.
        let fields: [HTTPField]
        let body: [UInt8]
        /// The limit for connecting, and again for the answer.
        let timeout: TimeAmount

        package init(host: String, port: Int, caPEM: [UInt8], fields: [HTTPField], body: [UInt8], timeout: TimeAmount) {
            self.host = host
            self.port = port
            self.caPEM = caPEM
            self.fields = fields
            self.body = body
            self.timeout = timeout
        }
    }

    /// The fields of an answer, `:status` first, and its body.
    package typealias Answer = (fields: [HTTPField], body: [UInt8])

    /// Sends one push on a connection of its own; throws ``ProviderFailure``, or NIO's error if the connection can't be
    /// made.
    package static func perform(_ request: Request, on loop: any EventLoop) async throws -> Answer {
        let promise = loop.makePromise(of: Answer.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(request.timeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ProviderHandler(request, promise))
                    }
                }
                .connect(host: request.host, port: request.port).get()
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
                channel.close(promise: nil)
            }
        } catch {
            // A connection that could not be made has no handler that fails the promise.
            promise.fail(error)
            throw error
        }
    }
}

/// The provider's side of one connection, on the loop of its channel.
private final class ProviderHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case handshaking
        case open
        /// The push has its answer, or has failed; only the first outcome counts.
        case done
    }

    private let promise: EventLoopPromise<ProviderExchange.Answer>
    private let timeout: TimeAmount
    private let showsCertificate: Bool
    private var tls: TLSSession
    private let http2: HTTP2ClientSession
    private var state = State.handshaking
    private var plaintext = [UInt8](repeating: 0, count: 16_384)
    private var deadline: Scheduled<Void>?

    init(
        _ request: ProviderExchange.Request, _ promise: EventLoopPromise<ProviderExchange.Answer>
    ) throws(ProviderFailure) {
        self.promise = promise
        self.timeout = request.timeout
        self.showsCertificate = request.identity != nil
        do throws(OpenSSLError) {
            let context = try ClientTLSContext(
                caPEM: request.caPEM, identity: request.identity, version: request.version)
            self.tls = try TLSSession(client: context, host: request.serverName ?? request.host)
        } catch {
            throw ProviderFailure(
                error.part == nil ? "TLS can't be set up for \(request.host): \(error)" : "\(error)")
        }
        do throws(HTTP2Error) {
            self.http2 = try HTTP2ClientSession(fields: request.fields, body: request.body)
        } catch {
            throw .unsent(error)
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.schedule(in: timeout) { self.fail("no answer within \(self.timeout.text)", context) }
        advance(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tls.receive(unwrapInboundIn(data))
        advance(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("the connection was closed before an answer came", context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("the connection broke: \(BrokenConnection.text(error))", context)
    }

    private func advance(_ context: ChannelHandlerContext) {
        guard state != .done else { return }
        do throws(ProviderFailure) {
            guard let answer = try exchange() else { return writeCiphertext(context) }
            promise.succeed(answer)
            finish(context)
        } catch {
            fail(error.problem, context)
        }
    }

    /// Processes the received bytes through TLS and HTTP/2; returns the answer once it is complete.
    private func exchange() throws(ProviderFailure) -> ProviderExchange.Answer? {
        if state == .handshaking {
            switch tls.handshake() {
            case .complete: state = .open
            case .failed(let error): throw failure(of: error, otherwise: "the TLS handshake failed")
            case .incomplete, .closed: return nil
            }
        }
        reading: while true {
            switch tls.read(into: &plaintext) {
            case .complete(let count):
                do throws(HTTP2Error) {
                    try plaintext[..<count].withUnsafeBufferPointer { bytes throws(HTTP2Error) in
                        try http2.receive(bytes.span.bytes)
                    }
                } catch {
                    throw .init(http2.problem(of: error))
                }
                if let answer = try receivedAnswer() { return answer }
            case .incomplete: break reading
            case .closed: throw .init("the server closed TLS before an answer came")
            // In TLS 1.3 the client is connected before the server has checked its certificate (RFC 8446 §4.4.2).
            case .failed(let error): throw failure(of: error, otherwise: "TLS failed")
            }
        }
        let output: [UInt8]
        do throws(HTTP2Error) { output = try http2.takeOutput() } catch { throw .unsent(error) }
        if !output.isEmpty, case .failed(let error) = output.withUnsafeBytes({ tls.write($0.bytes) }) {
            throw failure(of: error, otherwise: "TLS failed")
        }
        // nghttp2 ends a request that GOAWAY denied when it is about to send it.
        if let answer = try receivedAnswer() { return answer }
        guard http2.isAlive else { throw .init(HTTP2ClientSession.endProblem(hasBegun: !http2.settings.isEmpty)) }
        return nil
    }

    private func receivedAnswer() throws(ProviderFailure) -> ProviderExchange.Answer? {
        switch http2.outcome {
        case .pending: return nil
        case .failed(let problem): throw .init(problem)
        case .answered(let fields, let body): return (fields, body)
        }
    }

    private func failure(of error: OpenSSLError, otherwise problem: String) -> ProviderFailure {
        if error.concernsVerification { return .init("\(problem): \(error): \(tls.verificationProblem)") }
        guard let alert = error.alert else { return .init("\(problem): \(error)") }
        guard alert.concernsCertificate else { return .init("the server ended TLS: \(alert.text)") }
        return .init("the server \(showsCertificate ? "refused the" : "wants a") certificate: \(alert.text)")
    }

    private func writeCiphertext(_ context: ChannelHandlerContext) {
        guard let buffer = tls.takeOutput() else { return }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    private func fail(_ problem: String, _ context: ChannelHandlerContext) {
        guard state != .done else { return }
        promise.fail(ProviderFailure(http2.goAway.map { "\($0); \(problem)" } ?? problem))
        finish(context)
    }

    private func finish(_ context: ChannelHandlerContext) {
        if state == .open { tls.sendCloseNotify() }
        state = .done
        deadline?.cancel()
        writeCiphertext(context)
        context.close(promise: nil)
    }
}

extension TimeAmount {
    /// Whole seconds, for a message.
    var seconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Whole seconds as `30 s`, others in milliseconds, for a message.
    var text: String {
        nanoseconds.isMultiple(of: 1_000_000_000) ? "\(seconds) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
