internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The number of callers that are reading an event stream.
final class StreamReaderCount: Sendable {
    private let readers = Atomic<Int>(0)

    var count: Int { readers.load(ordering: .relaxed) }

    /// Counts the reader of an answer for as long as it is written, if it is an event stream.
    func counting(_ response: Response) -> Response {
        guard response.headers[.contentType]?.hasPrefix(ServerSentEvent.contentType) == true else { return response }
        var counted = response
        counted.body = ResponseBody { [self, body = response.body] writer in
            readers.add(1, ordering: .relaxed)
            defer { readers.subtract(1, ordering: .relaxed) }
            try await body.write(writer)
        }
        return counted
    }
}
