import NIOCore
import NIOHTTP1
import NIOPosix

/// One HTTP/1.1 connection to a server's cleartext port, one request after the other.
struct HTTP1Connection {
    /// A reply with all of its body.
    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Connects, and calls a closure with a function that sends a request and returns its reply.
    static func with<Result: Sendable>(
        port: Int, _ body: (_ send: (HTTPRequestHead, [UInt8]) async throws -> Reply) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Channel(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var replies = inbound.makeAsyncIterator()
            return try await body { head, bytes in
                do {
                    try await outbound.write(.head(head))
                    if !bytes.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
                    try await outbound.write(.end(nil))
                } catch ChannelError.ioOnClosedChannel {
                    // A server that answers before the end, as it does when a body is too large, has closed by now; its
                    // reply is there to be read all the same.
                }
                var reply: Reply?
                while let part = try await replies.next() {
                    switch part {
                    case .head(let head): reply = Reply(status: Int(head.status.code), headers: head.headers, body: [])
                    case .body(let buffer):
                        reply = reply.map {
                            Reply(
                                status: $0.status, headers: $0.headers, body: $0.body + Array(buffer.readableBytesView))
                        }
                    case .end:
                        guard let reply else { throw ChannelError.eof }
                        return reply
                    }
                }
                throw ChannelError.eof
            }
        }
    }
}
