internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

extension Call {
    /// Writes the next bytes of an answer, and returns when the connection takes more.
    typealias StreamWriter = ([UInt8]) async throws -> Void

    /// An answer that `write` writes as its reader takes it; a reader that takes nothing for
    /// ``StreamLimits/stallMax`` is cut off.
    func streamed(
        _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
        write: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            try await cuttingOffStalled(&writer, write)
            try await writer.finish(nil)
        }
        return .uncached(body, contentType, status: status, headers: headers)
    }

    /// An answer of server-sent events, which goes on until `run` returns, or its reader goes or takes nothing any more.
    ///
    /// - Parameter end: Called once when the stream has ended, however that was.
    func stream(
        end: @escaping @Sendable () async -> Void, run: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await cuttingOffStalled(&writer, run)
                }
                await end()
                try await writer.finish(nil)
            } catch {
                await end()
                logger.debug("the reader of a stream has gone", metadata: ["path": "\(request.uri.path)"])
                throw error
            }
        }
        return .uncached(body, ServerSentEvent.contentType, headers: [.connection: "close"])
    }

    private func cuttingOffStalled(
        _ writer: inout any ResponseBodyWriter, _ run: (StreamWriter) async throws -> Void
    ) async throws {
        let stalled = StalledReader(channel, after: streamLimits.stallMax)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stalled.watch(logger) }
            defer { group.cancelAll() }
            try await run { bytes in
                try await stalled.note { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
        }
    }
}
