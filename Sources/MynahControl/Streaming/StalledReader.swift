internal import Logging
internal import NIOCore
internal import Synchronization

/// Notices that a reader takes nothing any more, and closes its connection.
///
/// A write waits while the connection's buffers are full; nothing else tells that a reader is there and asleep.
final class StalledReader: Sendable {
    private let channel: any Channel
    private let stallMax: Duration
    private let writingSince = Mutex<ContinuousClock.Instant?>(nil)

    init(_ channel: any Channel, after stallMax: Duration) {
        self.channel = channel
        self.stallMax = stallMax
    }

    /// Writes, and notes for how long.
    func note<Answer>(_ write: () async throws -> Answer) async rethrows -> Answer {
        writingSince.withLock { $0 = .now }
        defer { writingSince.withLock { $0 = nil } }
        return try await write()
    }

    /// Looks four times in the time that a write may take, until the task is cancelled or the connection closed.
    func watch(_ logger: Logger) async {
        do throws(CancellationError) {
            while true {
                try await DeviceWakes.pause(stallMax / 4)
                guard let since = writingSince.withLock({ $0 }), .now - since >= stallMax else { continue }
                logger.debug(
                    "a reader took nothing of its answer for too long, and is cut off",
                    metadata: ["limit": "\(stallMax)"])
                channel.close(promise: nil)
                return
            }
        } catch {
            // The stream has ended.
        }
    }
}
