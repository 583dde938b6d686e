internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

extension Call {
    /// Writes on, to a reader that is watched for its end and for taking nothing.
    typealias StreamWriter = ([UInt8]) async throws -> Void

    /// An answer of server-sent events, which goes on until `run` returns, or its reader goes or takes nothing any more.
    ///
    /// - Parameter end: Called once when the stream has ended, however that was.
    func stream(
        _ limits: StreamLimits, _ logger: Logger, end: @escaping @Sendable () async -> Void,
        run: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    let stalled = StalledReader(channel, after: limits.stallMax)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await stalled.watch(logger) }
                        defer { group.cancelAll() }
                        try await run { bytes in
                            try await stalled.note { try await writer.write(ByteBuffer(bytes: bytes)) }
                        }
                    }
                }
                await end()
                try await writer.finish(nil)
            } catch {
                await end()
                logger.debug("the reader of a stream has gone", metadata: ["path": "\(request.uri.path)"])
                throw error
            }
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: ServerSentEvent.contentType, .cacheControl: "no-store", .connection: "close",
            ],
            body: body)
    }
}
