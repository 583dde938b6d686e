import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A small HTTP server on a free port, which records requests and answers with the test's replies.
final class RecordingServer: Sendable {
    struct Request: Equatable, Sendable {
        var method: String
        var target: String
        var headers: [String: String]
        var body: String
    }

    struct Reply: Sendable {
        var status = 200
        var contentType = "application/json"
        var body = "{}"
        /// Whether the connection is closed without an answer.
        var hangsUp = false
    }

    private let channel: any Channel
    private let requests: Requests

    final class Requests: Sendable {
        let all = Mutex<[Request]>([])
    }

    private init(channel: any Channel, requests: Requests) {
        self.channel = channel
        self.requests = requests
    }

    /// Runs `body` against a server that answers the first request with `reply` and later ones with `next`, repeating
    /// the last reply; then stops the server.
    static func run<Result>(
        _ reply: Reply, next: [Reply] = [], _ body: (RecordingServer) async throws -> Result
    ) async throws -> Result {
        let requests = Requests()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(requests, [reply] + next))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = RecordingServer(channel: channel, requests: requests)
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    var port: Int { channel.localAddress?.port ?? 0 }
    var received: [Request] { requests.all.withLock { $0 } }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let requests: Requests
        private let replies: [Reply]
        private var request = Request(method: "", target: "", headers: [:], body: "")

        init(_ requests: Requests, _ replies: [Reply]) {
            self.requests = requests
            self.replies = replies
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let headers = head.headers.map { ($0.name.lowercased(), $0.value) }
                request = Request(
                    method: head.method.rawValue, target: head.uri,
                    headers: Dictionary(headers, uniquingKeysWith: { $1 }), body: "")
            case .body(let part):
                request.body += String(decoding: part.readableBytesView, as: UTF8.self)
            case .end:
                let count = requests.all.withLock {
                    $0.append(request)
                    return $0.count
                }
                answer(replies[min(count, replies.count) - 1], context)
            }
        }

        private func answer(_ reply: Reply, _ context: ChannelHandlerContext) {
            guard !reply.hangsUp else {
                context.close(promise: nil)
                return
            }
            let headers = HTTPHeaders([
                ("content-type", reply.contentType), ("content-length", String(reply.body.utf8.count)),
            ])
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: reply.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
