package import Logging
import Synchronization

/// What a server logs, as an event that a test can wait for.
package final class LogLines: Sendable {
    private let state = Mutex<[(level: Logger.Level, text: String)]>([])
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// A logger that writes here.
    package func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = level
        return logger
    }

    /// Everything so far.
    package var all: [String] { state.withLock { $0.map(\.text) } }

    /// Returns when a line with this text is written; one test waits at a time.
    package func wait(for text: String) async {
        for await line in stream where line.contains(text) { return }
    }

    private func add(_ level: Logger.Level, _ text: String) {
        state.withLock { $0.append((level, text)) }
        continuation.yield(text)
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add(event.level, "\(event.message) \(event.metadata ?? [:])")
        }
    }
}
