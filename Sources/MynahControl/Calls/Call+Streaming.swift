internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

extension Call {
    /// Writes the next bytes of an answer, and returns when the connection takes more.
    typealias StreamWriter = ([UInt8]) async throws -> Void

    /// An answer that `write` writes as its reader takes it; a reader that takes nothing for
    /// ``StreamLimits/stallMax`` is disconnected.
    func streamed(
        _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
        write: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            try await disconnectingStalled(&writer, write)
            try await writer.finish(nil)
        }
        return .uncached(body, contentType, status: status, headers: headers)
    }

    /// An answer of server-sent events, until `run` returns, or its reader leaves or takes nothing any more.
    ///
    /// - Parameter end: Called once when the stream has ended, for whatever reason.
    func stream(
        end: @escaping @Sendable () async -> Void = {}, run: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await disconnectingStalled(&writer, run)
                }
                await end()
                try await writer.finish(nil)
            } catch {
                await end()
                state.logger.debug("the reader of a stream left", metadata: ["path": "\(request.uri.path)"])
                throw error
            }
        }
        return .uncached(body, ServerSentEvent.contentType, headers: [.connection: "close"])
    }

    private func disconnectingStalled(
        _ writer: inout any ResponseBodyWriter, _ run: (StreamWriter) async throws -> Void
    ) async throws {
        let stalled = StalledReader(channel, after: state.streamLimits.stallMax)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stalled.watch(state.logger) }
            defer { group.cancelAll() }
            try await run { bytes in
                try await stalled.timing { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
        }
    }
}
