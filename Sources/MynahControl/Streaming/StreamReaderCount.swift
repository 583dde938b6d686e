internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// How many callers read a stream of events now, whichever stream.
final class StreamReaderCount: Sendable {
    private let readers = Atomic<Int>(0)

    /// How many there are.
    var count: Int { readers.load(ordering: .relaxed) }

    /// Counts the reader of an answer that is a stream of events, for as long as it is written.
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
