internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One HTTP/1.1 request on a connection of its own, and its answer.
///
/// Over loopback a connection per request is cheaper than a pool, and a call that waits for a minute delays no other.
struct HTTPExchange: Sendable {
    /// A complete answer.
    struct Response: Sendable {
        let status: Int
        let contentType: String?
        let body: [UInt8]
    }

    /// How long a connection may take to be established.
    static let connectTimeout: TimeAmount = .seconds(5)
    /// The most bytes of an answer: ten times 1,000 pushes of 5 KB with their headers.
    static let responseBytesMax = 128 << 20

    let url: ControlURL
    let method: String
    /// Path and query, encoded.
    let target: String
    let token: String?
    /// JSON; `nil` for a request without a body.
    let body: [UInt8]?
    /// How long the answer may take from the connection on.
    let timeout: Duration

    /// Sends the request and waits for the whole answer.
    ///
    /// - Throws: ``ClientError``: no server, no answer in time, not HTTP, cancelled.
    func perform() async throws(ClientError) -> Response {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Response.self)
        let channel: any Channel
        do {
            channel = try await connect(on: loop, promise)
        } catch {
            promise.fail(error)
            throw unreachable(error)
        }
        do {
            return try await withTaskCancellationHandler {
                try await send(on: channel)
                return try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
                channel.close(promise: nil)
            }
        } catch let error as ClientError {
            channel.close(promise: nil)
            throw error
        } catch is CancellationError {
            throw ClientError(.cancelled, "the call to \(url) was cancelled")
        } catch {
            channel.close(promise: nil)
            promise.fail(error)
            throw ClientError(.unavailable, "the call to \(url) failed: \(error)")
        }
    }

    private func connect(on loop: any EventLoop, _ promise: EventLoopPromise<Response>) async throws -> any Channel {
        let timeout = TimeAmount(timeout)
        let url = url
        return try await ClientBootstrap(group: loop)
            .connectTimeout(HTTPExchange.connectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(
                        ResponseCollector(promise: promise, url: url, timeout: timeout))
                }
            }
            .connect(host: url.host, port: url.port).get()
    }

    private func send(on channel: any Channel) async throws {
        var headers = HTTPHeaders([("host", url.authority), ("accept", "application/json"), ("connection", "close")])
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        if let body {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        let head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: target, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        // Not awaited: a server may refuse a request before it has read all of it; its answer says more than the failed
        // write.
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func unreachable(_ error: any Error) -> ClientError {
        ClientError(
            .unavailable, "no server at \(url): \(ConnectFailure.reason(of: error)); start one with `mynah serve`")
    }
}

/// Collects the parts of one answer, on the connection's event loop.
private final class ResponseCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<HTTPExchange.Response>
    private let url: ControlURL
    private let timeout: TimeAmount
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var timer: Scheduled<Void>?

    init(promise: EventLoopPromise<HTTPExchange.Response>, url: ControlURL, timeout: TimeAmount) {
        self.promise = promise
        self.url = url
        self.timeout = timeout
    }

    func channelActive(context: ChannelHandlerContext) {
        let promise = promise
        let channel = context.channel
        let error = ClientError(.unavailable, "\(url) has not answered within \(timeout.nanoseconds / 1_000_000_000) s")
        timer = context.eventLoop.scheduleTask(in: timeout) {
            promise.fail(error)
            channel.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(var part):
            guard body.readableBytes + part.readableBytes <= HTTPExchange.responseBytesMax else {
                let error = ClientError(
                    .notMynah, "\(url) answers with more than \(HTTPExchange.responseBytesMax) bytes")
                return finish(context, .failure(error))
            }
            body.writeBuffer(&part)
        case .end:
            guard let head else { return }
            let response = HTTPExchange.Response(
                status: Int(head.status.code), contentType: head.headers.first(name: "content-type"),
                body: Array(body.readableBytesView))
            finish(context, .success(response))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let wrapped = ClientError(.notMynah, "\(url) does not answer as a control API does: \(error)")
        finish(context, .failure(error is IOError ? ClientError(.unavailable, "\(url) broke off: \(error)") : wrapped))
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(context, .failure(ClientError(.unavailable, "\(url) closed the connection without an answer")))
        context.fireChannelInactive()
    }

    // Only the first outcome counts: a promise ignores a second one.
    private func finish(_ context: ChannelHandlerContext, _ result: Result<HTTPExchange.Response, ClientError>) {
        timer?.cancel()
        timer = nil
        switch result {
        case .success(let response): promise.succeed(response)
        case .failure(let error): promise.fail(error)
        }
        context.close(promise: nil)
    }
}
