package import APNsRules
package import NIOCore
internal import NIOPosix

/// A provider's connection that stays open: one request after the other, each with everything that the server sent for it.
///
/// After the handshake and after each answer it sends a PING; what arrives before the PING's answer belongs to them.
package final class ProviderConnection: Sendable {
    /// Where to connect, and how.
    package struct Target: Sendable {
        /// A name or an address, for which the certificate is checked.
        package var host: String
        package var port: Int
        /// The CAs to trust, PEM; `nil` for HTTP/2 without TLS, with prior knowledge (RFC 9113 §3.3).
        package var caPEM: [UInt8]?
        package var identity: ClientIdentity?
        /// The limit for connecting, for the handshake, and for each answer.
        package var timeout: TimeAmount

        package init(
            host: String, port: Int, caPEM: [UInt8]?, identity: ClientIdentity? = nil, timeout: TimeAmount
        ) {
            self.host = host
            self.port = port
            self.caPEM = caPEM
            self.identity = identity
            self.timeout = timeout
        }
    }

    /// What the server sent until it was quiet again.
    package struct Exchange: Sendable {
        /// The stream of the request; 0 for the opening.
        package let streamID: Int32
        /// The answer; `nil` if there was none.
        package let answer: ProviderExchange.Answer?
        /// Why there was none, as a clause.
        package let failure: String?
        /// SETTINGS frames, each as numbers of identifiers and values.
        package let settings: [[(id: UInt16, value: UInt32)]]
        /// The code by its name (RFC 9113 §7).
        package let goAway: (code: String, lastStreamID: Int32, debugData: [UInt8])?
        /// Whether another request can follow.
        package let isOpen: Bool
        /// Whether something that belongs to it did not come in time.
        package let isLate: Bool

        /// The exchange of a request that comes after the connection's end.
        fileprivate static let closed = Exchange(
            streamID: 0, answer: nil, failure: "the connection was closed", settings: [], goAway: nil, isOpen: false,
            isLate: false)
    }

    fileprivate struct Request: Sendable {
        let fields: [HTTPField]
        let body: [UInt8]
        let timeout: TimeAmount?
        let promise: EventLoopPromise<Exchange>
    }

    private let channel: any Channel
    /// What came with the handshake.
    package let opening: Exchange

    private init(_ channel: any Channel, _ opening: Exchange) {
        self.channel = channel
        self.opening = opening
    }

    /// Connects; throws ``ProviderFailure``, or NIO's error if there is no TCP connection.
    package static func open(_ target: Target, on loop: any EventLoop) async throws -> ProviderConnection {
        let opening = loop.makePromise(of: Exchange.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(target.timeout)
                // The PING after an answer must not wait for the acknowledgement of what was sent before it.
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ProviderConnectionHandler(target, opening))
                    }
                }
                .connect(host: target.host, port: target.port).get()
            return ProviderConnection(channel, try await opening.futureResult.get())
        } catch {
            // A connection that could not be made has no handler that fails the promise.
            opening.fail(error)
            throw error
        }
    }

    /// Sends a request and waits for what follows, at most for `timeout`, or with `nil` for the timeout of the
    /// ``Target``; a connection that has ended is no error.
    package func exchange(
        _ fields: [HTTPField], _ body: [UInt8], within timeout: TimeAmount? = nil
    ) async throws -> Exchange {
        let promise = channel.eventLoop.makePromise(of: Exchange.self)
        let request = Request(fields: fields, body: body, timeout: timeout, promise: promise)
        channel.triggerUserOutboundEvent(request).whenFailure { _ in
            // The channel is closed and has no handler any more.
            promise.succeed(.closed)
        }
        return try await promise.futureResult.get()
    }

    /// Closes the connection, if it is open, and waits until it is.
    package func close() async {
        channel.close(promise: nil)
        // Closing fails only if the channel was closed before.
        try? await channel.closeFuture.get()
    }
}

/// A ``ProviderConnection`` on the loop of its channel.
private final class ProviderConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case handshaking
        /// Waits for the answer of a request.
        case asked
        /// Waits for the answer to the PING that was sent after the request's answer.
        case settling
        case idle
    }

    /// How long the newest request may take.
    private var timeout: TimeAmount
    private let showsCertificate: Bool
    private var tls: TLSSession?
    private let http2: HTTP2ClientSession
    private var promise: EventLoopPromise<ProviderConnection.Exchange>?
    private var phase = Phase.handshaking
    private var pings = 0
    private var isSecure = false
    private var reportsGoAway = true
    private var isClosed = false
    private var isLate = false
    private var isRefused = false
    private var plaintext = [UInt8](repeating: 0, count: 16_384)
    private var deadline: Scheduled<Void>?

    init(
        _ target: ProviderConnection.Target, _ opening: EventLoopPromise<ProviderConnection.Exchange>
    ) throws(ProviderFailure) {
        timeout = target.timeout
        promise = opening
        showsCertificate = target.identity != nil
        do throws(OpenSSLError) {
            tls = try target.caPEM.map { caPEM throws(OpenSSLError) in
                try TLSSession(
                    client: ClientTLSContext(caPEM: caPEM, identity: target.identity), host: target.host)
            }
        } catch {
            throw ProviderFailure("\(error)")
        }
        do throws(HTTP2Error) { http2 = try HTTP2ClientSession() } catch { throw ProviderFailure(error.text) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startDeadline(context)
        advance(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrival = unwrapInboundIn(data)
        if tls != nil {
            tls?.receive(arrival)
        } else if let problem = receive(arrival.readableBytesView.withUnsafeBytes { Array($0) }) {
            return end(problem, context)
        }
        advance(context)
    }

    func channelInactive(context: ChannelHandlerContext) { end("the connection was closed", context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end("the connection broke: \(BrokenConnection.text(error))", context)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let request = event as? ProviderConnection.Request else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        guard !isClosed else { return request.promise.succeed(.closed) }
        self.promise = request.promise
        phase = .asked
        timeout = request.timeout ?? timeout
        startDeadline(context)
        do throws(HTTP2Error) { try http2.begin(request.fields, request.body) } catch {
            return end("the request can't be sent: \(error.text)", context)
        }
        advance(context)
    }

    /// Handles everything that has arrived, and sends everything that is due.
    private func advance(_ context: ChannelHandlerContext) {
        guard !isClosed else { return }
        // nghttp2 ends a request that GOAWAY denied when it is about to send it, hence the second step.
        if let problem = readTLS() ?? step() ?? write(context) ?? step() ?? write(context) {
            end(problem, context)
        } else if !http2.isAlive {
            end(HTTP2ClientSession.endProblem(hasBegun: hasBegun), context)
        }
    }

    /// Whether the server has sent its first frame (RFC 9113 §3.4).
    private var hasBegun: Bool { phase != .handshaking || !http2.settings.isEmpty }

    /// Reads what TLS has; returns a problem that ends the connection.
    private func readTLS() -> String? {
        guard tls != nil else { return nil }
        if !isSecure {
            switch tls?.handshake() {
            case .complete:
                isSecure = true
            case .failed(let error): return failure(of: error, otherwise: "the TLS handshake failed")
            default: return nil
            }
        }
        while true {
            switch tls?.read(into: &plaintext) {
            case .complete(let count): if let problem = receive(Array(plaintext[..<count])) { return problem }
            case .closed: return "the server closed TLS"
            case .failed(let error): return failure(of: error, otherwise: "TLS failed")
            default: return nil
            }
        }
    }

    private func receive(_ bytes: [UInt8]) -> String? {
        do throws(HTTP2Error) {
            try bytes.withUnsafeBufferPointer { bytes throws(HTTP2Error) in try http2.receive(bytes.span.bytes) }
            return nil
        } catch {
            return hasBegun ? http2.problem(of: error) : HTTP2ClientSession.endProblem(hasBegun: false)
        }
    }

    /// Goes on to the next phase where what it waited for has come.
    private func step() -> String? {
        do throws(HTTP2Error) {
            switch phase {
            case .handshaking where !http2.settings.isEmpty: try awaitSettling()
            case .asked:
                if case .pending = http2.outcome { return nil }
                http2.resetUnsentRest()
                try awaitSettling()
            case .settling where http2.answeredPings == pings: finish(nil)
            default: break
            }
            return nil
        } catch {
            return error.text
        }
    }

    private func awaitSettling() throws(HTTP2Error) {
        phase = .settling
        pings += 1
        try http2.ping()
    }

    private func write(_ context: ChannelHandlerContext) -> String? {
        let output: [UInt8]
        do throws(HTTP2Error) {
            output = tls == nil || isSecure ? try http2.takeOutput() : []
        } catch {
            return "the request can't be sent: \(error.text)"
        }
        guard tls != nil else {
            if !output.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: output)), promise: nil) }
            return nil
        }
        if !output.isEmpty, case .failed(let error) = output.withUnsafeBytes({ tls?.write($0.bytes) }) {
            return failure(of: error, otherwise: "TLS failed")
        }
        if let buffer = tls?.takeOutput() { context.writeAndFlush(wrapOutboundOut(buffer), promise: nil) }
        return nil
    }

    private func failure(of error: OpenSSLError, otherwise problem: String) -> String {
        if error.concernsVerification, let problem = tls?.verificationProblem {
            return "the server's certificate can't be verified: \(problem)"
        }
        if error.concernsProtocol, !isSecure { return "the server doesn't speak TLS" }
        guard let alert = error.alert else { return "\(problem): \(error)" }
        isRefused = alert.concernsCertificate
        guard isRefused else { return "the server ended TLS: \(alert.text)" }
        return "the server \(showsCertificate ? "refused the" : "wants a") certificate: \(alert.text)"
    }

    private func startDeadline(_ context: ChannelHandlerContext) {
        deadline = context.schedule(in: timeout) {
            self.isLate = true
            self.end(self.lateness, context)
        }
    }

    private var lateness: String {
        let lateness = "no answer within \(timeout.text)"
        // What serves HTTP/1.1 alone may wait for the rest of a request.
        guard !hasBegun, isSecure, tls?.facts.applicationProtocol == nil else { return lateness }
        return "\(HTTP2ClientSession.endProblem(hasBegun: false)): it chose no h2 by ALPN; \(lateness)"
    }

    private func end(_ problem: String, _ context: ChannelHandlerContext) {
        guard !isClosed else { return }
        isClosed = true
        finish(problem)
        if isSecure {
            tls?.sendCloseNotify()
            if let buffer = tls?.takeOutput() { context.writeAndFlush(wrapOutboundOut(buffer), promise: nil) }
        }
        context.close(promise: nil)
    }

    /// Fulfils what was asked for; with a problem, the connection is over.
    private func finish(_ problem: String?) {
        deadline?.cancel()
        phase = .idle
        guard let promise else { return }
        self.promise = nil
        if let problem, http2.stream == 0, http2.goAwayFrame == nil {
            return promise.fail(ProviderFailure(problem, concernsCertificate: isRefused))
        }
        let isOpen = problem == nil && http2.goAwayFrame == nil
        switch http2.outcome {
        case .answered(let fields, let body): promise.succeed(exchange((fields, body), nil, isOpen: isOpen))
        case .failed(let reason): promise.succeed(exchange(nil, reason, isOpen: isOpen))
        case .pending: promise.succeed(exchange(nil, problem, isOpen: isOpen))
        }
    }

    /// What has been received since the last exchange, with the answer or the reason why there is none.
    private func exchange(
        _ answer: ProviderExchange.Answer?, _ failure: String?, isOpen: Bool
    ) -> ProviderConnection.Exchange {
        let goAway = reportsGoAway ? http2.goAwayFrame.map { ($0.code.name, $0.lastStreamID, $0.debugData) } : nil
        if goAway != nil { reportsGoAway = false }
        return ProviderConnection.Exchange(
            streamID: http2.stream, answer: answer, failure: failure, settings: http2.takeSettings(), goAway: goAway,
            isOpen: isOpen, isLate: isLate)
    }
}
