internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

extension ControlClient {
    /// `GET /v1/events`: passes on events as they happen; only ends by throwing.
    ///
    /// When the connection breaks, another one continues after the last event: no event comes twice, and a `gap` stands for
    /// missing ones. Events wait in the server, not here, until `give` returns.
    /// - Parameters:
    ///   - query: Filters, `event`, and `after`; without that, only new events come.
    ///   - give: Is called with each event, one at a time.
    /// - Throws: ``ClientError``, and what `give` throws.
    public func events(_ query: [QueryItem] = [], _ give: (ServerEvent) async throws -> Void) async throws {
        var lastEventID: String?
        while true {
            var parser = EventParser()
            do {
                try await readEvents(query, lastEventID, &parser, give)
            } catch let broken as BrokenStream {
                // A server that never sends an event would be tried for ever.
                guard parser.lastEventID != nil else { throw broken.error }
            }
            lastEventID = parser.lastEventID ?? lastEventID
            try await Task.sleep(for: ControlClient.reconnectDelay)
        }
    }

    /// The time until another connection is tried: a server that shuts down may still accept some.
    private static let reconnectDelay: Duration = .milliseconds(100)

    /// A stream that ended unexpectedly.
    private struct BrokenStream: Error {
        let error: ClientError
    }

    /// Reads one connection to its end.
    private func readEvents(
        _ query: [QueryItem], _ lastEventID: String?, _ parser: inout EventParser,
        _ give: (ServerEvent) async throws -> Void
    ) async throws {
        let target = QueryItem.target("/v1/events", query)
        let stream = try await connect()
        var events = parser
        defer { parser = events }
        do {
            try await stream.executeThenClose { inbound, outbound in
                try await outbound.write(.head(head(target, lastEventID)))
                try await outbound.write(.end(nil))
                var refusal: (status: Int, contentType: String?, body: [UInt8])?
                for try await part in inbound {
                    switch part {
                    case .head(let head) where head.status == .ok: break
                    case .head(let head):
                        refusal = (Int(head.status.code), head.headers.first(name: "content-type"), [])
                    case .body(let buffer):
                        guard refusal == nil else {
                            refusal?.body += Array(buffer.readableBytesView)
                            continue
                        }
                        for event in try events.read(buffer.readableBytesView) { try await give(event) }
                    case .end:
                        // The server may keep the connection open, and nothing more comes on it.
                        guard let refusal else { return }
                        throw ControlClient.problem(
                            HTTPExchange.Response(
                                status: refusal.status, contentType: refusal.contentType, body: refusal.body),
                            "GET", target, url)
                    }
                }
            }
        } catch let error as any ChannelFailure {
            throw BrokenStream(error: ClientError(.unavailable, "the events of \(url) broke off: \(error)"))
        }
        throw BrokenStream(error: ClientError(.unavailable, "\(url) ended its events before any came"))
    }

    private typealias Stream = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect() async throws(ClientError) -> Stream {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(HTTPExchange.connectTimeout)
                .connect(host: url.host, port: url.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Stream(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw ClientError(
                .unavailable, "no server at \(url): \(ConnectFailure.reason(of: error)); start one with `mynah serve`")
        }
    }

    private func head(_ target: String, _ lastEventID: String?) -> HTTPRequestHead {
        var headers = HTTPHeaders([("host", url.authority), ("accept", "text/event-stream"), ("connection", "close")])
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        if let lastEventID { headers.add(name: "last-event-id", value: lastEventID) }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers)
    }
}

/// The errors by which a connection ends, in contrast to those of the code that reads it.
private protocol ChannelFailure: Error {}
extension IOError: ChannelFailure {}
extension ChannelError: ChannelFailure {}
extension HTTPParserError: ChannelFailure {}
