internal import Logging
internal import NIOCore
internal import Synchronization

/// Closes the connection of a reader that has stalled: a write waits while the buffers are full.
final class StalledReader: Sendable {
    private let channel: any Channel
    private let stallMax: Duration
    private let writingSince = Mutex<ContinuousClock.Instant?>(nil)

    init(_ channel: any Channel, after stallMax: Duration) {
        self.channel = channel
        self.stallMax = stallMax
    }

    func timing<Answer>(_ write: () async throws -> Answer) async rethrows -> Answer {
        writingSince.withLock { $0 = .now }
        defer { writingSince.withLock { $0 = nil } }
        return try await write()
    }

    /// Checks four times within the time limit of a write, until the task is cancelled or the connection closed.
    func watch(_ logger: Logger) async {
        while (try? await Task.sleep(for: stallMax / 4)) != nil {
            guard let since = writingSince.withLock({ $0 }), .now - since >= stallMax else { continue }
            logger.debug("disconnected a reader that took nothing of its answer", metadata: ["limit": "\(stallMax)"])
            channel.close(promise: nil)
            return
        }
    }
}

/// The times and sizes of answers that are written as their readers take them.
struct StreamLimits: Hashable, Sendable {
    /// How often a comment is written (`ControlAPI#Events`).
    var heartbeat: Duration = .seconds(15)
    /// How long a reader may take nothing before it is disconnected, so that its answer isn't kept forever.
    var stallMax: Duration = .seconds(10)

    /// Bytes that are handed to the connection at once; further ones are written when these have been sent.
    ///
    /// A reader that stalls holds several times as many: here, on their way to the loop, and in the loop's output of up to
    /// 64 KiB.
    static let batchBytesMax = 32 * 1024
}
