internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

struct HTTPResponse: Sendable {
    let status: Int
    var body: [UInt8] = []

    /// The most bytes of an answer: ten times 1,000 pushes of 5 KB with their headers.
    static let bytesMax = 128 << 20
    /// The most bytes before an answer's body: its head, and interim answers (RFC 9110 §15.2).
    static let headBytesMax = 256 << 10
}

/// A request with all of its body.
struct HTTPRequest: Sendable {
    let head: HTTPRequestHead
    var body: [UInt8]?
}

extension ControlClient {
    /// Sends a request on a new connection, and waits up to `timeout`, or ``answerTimeout``, for the whole answer.
    ///
    /// Over loopback a connection per request is cheaper than a pool, and a call that waits for a minute delays no other.
    func exchange(
        _ method: String, _ target: String, body: [UInt8]?, timeout: Duration? = nil
    ) async throws(ClientError) -> HTTPResponse {
        let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: HTTPResponse.self)
        let url = url
        let time = TimeAmount(timeout ?? answerTimeout)
        var headers = [("accept", "application/json")]
        if let body { headers += [("content-type", "application/json"), ("content-length", String(body.count))] }
        let request = HTTPRequest(head: head(.init(rawValue: method), of: target, with: headers), body: body)
        let channel: any NIOCore.Channel
        do {
            channel = try await connect(sending: request, answerWithin: nil) { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    NIOHTTPClientResponseAggregator(maxContentLength: HTTPResponse.bytesMax),
                    ResponseReceiver(promise: promise, url: url, timeout: time),
                ])
                return channel
            }
        } catch {
            promise.fail(error)
            throw error
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(CancellationError())
                channel.close(promise: nil)
            }
        } catch {
            channel.close(promise: nil)
            if error is CancellationError { throw ClientError(.cancelled, "the call to \(url) was cancelled") }
            throw error as? ClientError ?? ClientError(.unavailable, "the call to \(url) failed: \(error)")
        }
    }

    /// Connects to the server and sends it a request; `finish` completes the channel's pipeline.
    ///
    /// A server that sends too much instead of an answer, or no good answer within `timeout`, ends the channel with a
    /// ``ClientError``.
    func connect<Output: Sendable>(
        sending request: HTTPRequest, answerWithin timeout: Duration?,
        _ finish: @escaping @Sendable (any NIOCore.Channel) throws -> Output
    ) async throws(ClientError) -> Output {
        let url = url
        let time = timeout.map { TimeAmount($0) }
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(connectTimeout))
                .connect(host: url.host, port: url.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let counter = ByteCounter(url)
                        try channel.pipeline.syncOperations.addHandler(counter)
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(AnswerWatch(url, time, counter))
                        try channel.pipeline.syncOperations.addHandler(RequestSender(request))
                        return try finish(channel)
                    }
                }
        } catch {
            throw ClientError(
                .unavailable, "no server at \(url): \(ClientError.reason(of: error)); start one with `mynah serve`")
        }
    }

    func head(_ method: HTTPMethod, of target: String, with further: [(String, String)]) -> HTTPRequestHead {
        var headers = HTTPHeaders([("host", url.authority), ("connection", "close")] + further)
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
    }
}

/// Sends a request as soon as its connection is open.
///
/// On the event loop: a task may get a thread so late, on a busy machine, that the server has closed the connection for
/// want of a request.
private final class RequestSender: ChannelInboundHandler {
    typealias InboundIn = Any
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        if let body = request.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        // Without a result: a server may refuse a request before it has read all of it, and its answer says more than
        // the failed write.
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }
}

/// Ends a connection that sends too much; in front of the parser, which passes on no interim answers.
private final class ByteCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let url: ControlURL
    private var count = 0
    /// The most bytes; `nil` for any number.
    private var bytesMax: Int? = HTTPResponse.headBytesMax
    private var place = " before its answer"

    init(_ url: ControlURL) { self.url = url }

    /// Admits an answer's body, in any form of transfer.
    func answerBegan(isEndless: Bool) {
        bytesMax = isEndless ? nil : HTTPResponse.headBytesMax + HTTPResponse.bytesMax
        place = ""
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count &+= unwrapInboundIn(data).readableBytes
        guard let bytesMax, count > bytesMax else { return context.fireChannelRead(data) }
        context.fireErrorCaught(ClientError(.notMynah, "\(url) sends more than \(bytesMax) bytes\(place)"))
        context.close(promise: nil)
    }
}

/// Tells a ``ByteCounter`` what is to come, and ends a connection without an answer in time.
private final class AnswerWatch: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let url: ControlURL
    /// The limit for an answer, which may be endless if it is a good one; `nil` for none.
    private let timeout: TimeAmount?
    private let counter: ByteCounter
    private var timer: Scheduled<Void>?

    init(_ url: ControlURL, _ timeout: TimeAmount?, _ counter: ByteCounter) {
        self.url = url
        self.timeout = timeout
        self.counter = counter
    }

    func channelActive(context: ChannelHandlerContext) {
        if let timeout {
            let channel = context.channel
            let error = ClientError.late(url, timeout)
            timer = context.eventLoop.scheduleTask(in: timeout) {
                channel.pipeline.fireErrorCaught(error)
                channel.close(promise: nil)
            }
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            let isEndless = timeout != nil && head.status == .ok
            counter.answerBegan(isEndless: isEndless)
            if isEndless { timer?.cancel() }
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}

extension ClientError {
    fileprivate static func late(_ url: ControlURL, _ timeout: TimeAmount) -> ClientError {
        ClientError(.unavailable, "\(url) has not answered within \(timeout.nanoseconds / 1_000_000_000) s")
    }
}

/// Completes a promise with the answer of a connection, on its event loop.
private final class ResponseReceiver: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPClientResponseFull

    private let promise: EventLoopPromise<HTTPResponse>
    private let url: ControlURL
    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?

    init(promise: EventLoopPromise<HTTPResponse>, url: ControlURL, timeout: TimeAmount) {
        self.promise = promise
        self.url = url
        self.timeout = timeout
    }

    func channelActive(context: ChannelHandlerContext) {
        let promise = promise
        let channel = context.channel
        let error = ClientError.late(url, timeout)
        timer = context.eventLoop.scheduleTask(in: timeout) {
            promise.fail(error)
            channel.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let response = unwrapInboundIn(data)
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        finish(context, .success(HTTPResponse(status: Int(response.head.status.code), body: body)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let problem =
            switch error {
            case let error as ClientError: error
            case is IOError: ClientError(.unavailable, "the connection to \(url) broke off: \(error)")
            case let error as NIOHTTPObjectAggregatorError where error == .frameTooLong:
                ClientError(.notMynah, "\(url) answers with more than \(HTTPResponse.bytesMax) bytes")
            default: ClientError(.notMynah, "\(url) is not a control API: \(error)")
            }
        finish(context, .failure(problem))
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(context, .failure(ClientError(.unavailable, "\(url) closed the connection without an answer")))
        context.fireChannelInactive()
    }

    // Only the first outcome counts: a promise ignores a second one.
    private func finish(_ context: ChannelHandlerContext, _ result: Result<HTTPResponse, ClientError>) {
        timer?.cancel()
        timer = nil
        promise.completeWith(result.mapError { $0 as any Error })
        context.close(promise: nil)
    }
}
