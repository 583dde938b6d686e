import APNsRules
import MynahTestSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// A small client that sends a test's request unchanged, each on a new connection.
struct HTTPCaller: Sendable {
    let port: Int
    var host = "127.0.0.1"

    /// Header fields; names are compared in lower case.
    struct Fields: Sendable {
        let all: [(name: String, value: String)]

        subscript(name: String) -> [String] { all.filter { $0.name.lowercased() == name }.map(\.value) }

        func first(name: String) -> String? { self[name].first }
    }

    /// An answer, complete.
    struct Answer: Sendable {
        let status: Int
        let headers: Fields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func json() throws -> JSONValue { try JSONValue(parsing: body) }

        /// Whether a wait has ended without what was awaited.
        fileprivate var hasTimedOut: Bool {
            headers["mynah-timed-out"] == ["true"] || (try? json())?["timedOut"] == true
        }
    }

    /// Sends a request and reads its answer, which must be as the OpenAPI document says; a `host` of `nil` sends no
    /// `Host`.
    func call(
        _ method: String, _ target: String, _ body: String? = nil, host: String? = "localhost",
        headers: [(String, String)] = []
    ) async throws -> Answer {
        let open = try await open(method, target, body, host: host, headers: headers)
        let answer = try await open.answer()
        if let fault = Contract.shared.fault(of: answer, to: method, target) { Issue.record("\(fault)") }
        return answer
    }

    /// Sends a request and leaves the reading of the answer, or the closing, to the caller.
    func open(
        _ method: String, _ target: String, _ body: String? = nil, host: String? = "localhost",
        headers: [(String, String)] = [], until end: ContinuousClock.Instant? = nil
    ) async throws -> OpenCall {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Answer.self)
        let deadline = promise.futureResult.eventLoop.scheduleTask(in: TimeAmount(Patience.duration)) {
            promise.fail(NoAnswerInTime(request: "\(method) \(target)"))
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        var fields = HTTPHeaders(headers)
        if let host { fields.add(name: "Host", value: host) }
        if let body { fields.add(name: "Content-Length", value: String(body.utf8.count)) }
        let head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: target, headers: fields)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: promise.futureResult.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(AnswerReader(promise))
                    }
                }
                .connect(host: self.host, port: port)
                .map { channel in
                    channel.send(head, body)
                    return channel
                }
                .get()
        } catch {
            promise.fail(error)
            throw error
        }
        let end = end ?? .now + Patience.duration
        return OpenCall(channel: channel, future: promise.futureResult) {
            guard target.contains(HTTPCaller.longestWait), .now < end else { return nil }
            return try await self.open(method, target, body, host: host, headers: headers, until: end)
        }
    }

    /// The longest wait of a list, which a test may exceed while it waits for a thread.
    private static let longestWait = "wait=60s"

    /// A request whose answer is not read yet.
    struct OpenCall: Sendable {
        fileprivate let channel: any Channel
        fileprivate let future: EventLoopFuture<Answer>
        fileprivate let again: @Sendable () async throws -> OpenCall?

        /// The answer; a wait that ends without what was awaited is tried again.
        func answer() async throws -> Answer {
            defer { channel.close(promise: nil) }
            let answer = try await future.get()
            guard answer.hasTimedOut, let next = try await again() else { return answer }
            return try await next.answer()
        }

        func hangUp() async throws {
            try await channel.close()
        }
    }
}

extension Channel {
    /// Writes a request, on the event loop: a task on a busy machine would miss the server's deadline for the first head.
    func send(_ head: HTTPRequestHead, _ body: String? = nil) {
        write(HTTPClientRequestPart.head(head), promise: nil)
        if let body { write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil) }
        // Without a result: a server that refuses early may close before it has read everything.
        writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}

/// What ended a call that was not answered.
struct ClosedWithoutAnswer: Error {}

/// The error of a call without an answer, so that no test waits forever.
struct NoAnswerInTime: Error {
    let request: String
}

private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<HTTPCaller.Answer>
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ promise: EventLoopPromise<HTTPCaller.Answer>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head, head.status != .continue else { return }
            let fields = HTTPCaller.Fields(all: head.headers.map { ($0.name, $0.value) })
            promise.succeed(HTTPCaller.Answer(status: Int(head.status.code), headers: fields, body: body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ClosedWithoutAnswer())
    }
}
