import APNsRules
import MynahClient
import NIOCore
import NIOPosix
import Synchronization

/// A relay before a control API, which keeps what clients send; each connection has one request, as `ControlClient` makes.
final class RequestRecorder: Sendable {
    /// A request as vectors have it: the path decoded, the parameters sorted.
    struct Request: Equatable {
        var method: String
        var path: String
        var query: [String]
        var body: JSONValue?

        init(method: String, path: String, query: [String], body: JSONValue?) {
            self.method = method
            self.path = path
            self.query = query.sorted()
            self.body = body
        }

        /// The request in the bytes of a connection; its body has a length, and ends with them.
        init(parsing bytes: [UInt8]) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let line = parts[0].prefix { $0 != "\r\n" }.split(separator: " ")
            let target = line[1].split(separator: "?", maxSplits: 1)
            let query = target.count > 1 ? target[1].split(separator: "&").map { Request.decoded($0) } : []
            let body = try parts.dropFirst().first { !$0.isEmpty }.map { try JSONValue(parsing: Array($0.utf8)) }
            self.init(method: String(line[0]), path: Request.decoded(target[0]), query: query, body: body)
        }

        /// The text without percent-encoding.
        static func decoded(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = text.utf8
            while let byte = rest.popFirst() {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let url: ControlURL
    private let connections = Mutex<[[UInt8]]>([])

    private init(url: ControlURL) { self.url = url }

    /// Runs `body` with a relay to the control API on a port of loopback.
    static func run(before port: Int, _ body: (RequestRecorder) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture { try Bytes(wrappingChannelSynchronously: channel) }
        }
        let own = listener.channel.localAddress?.port ?? 0
        let recorder = RequestRecorder(url: ControlURL(host: "127.0.0.1", port: own))
        try await listener.executeThenClose { accepted in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    await withDiscardingTaskGroup { relays in
                        do {
                            for try await client in accepted {
                                // What breaks a connection is told by what its client then gets.
                                relays.addTask { try? await recorder.relay(client, to: port, group) }
                            }
                        } catch {}
                    }
                }
                try await body(recorder)
                tasks.cancelAll()
            }
        }
    }

    /// The requests since the last call.
    func take() throws -> [Request] {
        let taken = connections.withLock { connections in
            defer { connections = [] }
            return connections
        }
        return try taken.map { try Request(parsing: $0) }
    }

    private func relay(_ client: Bytes, to port: Int, _ group: MultiThreadedEventLoopGroup) async throws {
        let number = connections.withLock { connections in
            connections.append([])
            return connections.count - 1
        }
        let server = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture { try Bytes(wrappingChannelSynchronously: channel) }
        }
        try await client.executeThenClose { sent, answers in
            try await server.executeThenClose { answered, requests in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        for try await part in sent {
                            self.connections.withLock { $0[number] += Array(part.readableBytesView) }
                            try await requests.write(part)
                        }
                    }
                    tasks.addTask { for try await part in answered { try await answers.write(part) } }
                    // Either side ends both.
                    try await tasks.next()
                    tasks.cancelAll()
                }
            }
        }
    }
}
