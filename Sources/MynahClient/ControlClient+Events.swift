internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

extension ControlClient {
    /// `GET /v1/events`: passes on events one at a time, as they happen; ends only by throwing ``ClientError`` or what
    /// `give` throws.
    ///
    /// `query` has filters, `event` and `after`; without `after`, there are only new events. When the connection breaks,
    /// another one continues after the last event: no event is repeated, and a `gap` stands for missing ones. Until `give`
    /// returns, further events stay on the server. Events may be a long time apart, but the answer must begin within
    /// `timeout`, or ``answerTimeout``.
    public func events(
        _ query: [QueryItem] = [], timeout: Duration? = nil,
        _ give: (ServerEvent) async throws -> Void
    ) async throws {
        var lastEventID: String?
        while true {
            var parser = EventParser()
            let end = try await readEvents(query, after: lastEventID, timeout ?? answerTimeout, with: &parser, give)
            // Without this, a server that never sends an event would be tried forever.
            guard parser.lastEventID != nil else { throw end }
            lastEventID = parser.lastEventID ?? lastEventID
            // A server that is shutting down may still accept connections.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func isOfConnection(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error is HTTPParserError || error is NIOHTTPDecoderError
    }

    /// Passes on the events of one connection; returns why there are no more, which only another connection can mend.
    private func readEvents(
        _ query: [QueryItem], after lastEventID: String?, _ timeout: Duration, with parser: inout EventParser,
        _ give: (ServerEvent) async throws -> Void
    ) async throws -> ClientError {
        let target = QueryItem.target("/v1/events", query)
        let resumption = lastEventID.map { [("last-event-id", $0)] } ?? []
        let head = head(.GET, of: target, with: [("accept", "text/event-stream")] + resumption)
        let stream = try await connect(sending: HTTPRequest(head: head), answerWithin: timeout) { channel in
            try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(wrappingChannelSynchronously: channel)
        }
        var events = parser
        defer { parser = events }
        do {
            try await stream.executeThenClose { inbound, _ in
                var refusal: HTTPResponse?
                for try await part in inbound {
                    switch part {
                    case .head(let head) where head.status == .ok: break
                    case .head(let head): refusal = HTTPResponse(status: Int(head.status.code))
                    case .body(let buffer) where refusal != nil: refusal?.body += Array(buffer.readableBytesView)
                    case .body(let buffer):
                        for event in try events.read(buffer.readableBytesView) { try await give(event) }
                    case .end:
                        // The server may keep the connection open, although the answer is complete.
                        guard let refusal else { return }
                        throw problem(refusal, to: "GET", of: target)
                    }
                }
            }
        } catch  where isOfConnection(error) {
            return ClientError(.unavailable, "the event stream of \(url) broke off: \(error)")
        }
        return ClientError(.unavailable, "\(url) ended its event stream before the first event")
    }
}
