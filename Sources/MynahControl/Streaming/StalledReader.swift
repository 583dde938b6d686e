internal import Logging
internal import NIOCore
internal import Synchronization

/// Closes the connection of a reader that has stalled: a write waits while the buffers are full.
final class StalledReader: Sendable {
    private let channel: any Channel
    private let stallMax: Duration
    private let writes = Mutex(Writes())
    /// How often a write is looked at within its time limit.
    private static let looksMax = 4

    private struct Writes: Equatable {
        var count = 0
        var isWriting = false
    }

    init(_ channel: any Channel, after stallMax: Duration) {
        self.channel = channel
        self.stallMax = stallMax
    }

    func timing<Answer>(_ write: () async throws -> Answer) async rethrows -> Answer {
        writes.withLock {
            $0.count += 1
            $0.isWriting = true
        }
        defer { writes.withLock { $0.isWriting = false } }
        return try await write()
    }

    /// Checks a write until the task is cancelled or the connection closed.
    ///
    /// It counts the looks that have found the same write, and not the time: while the machine stands still, or this
    /// process gets no processor, a reader takes nothing for no fault of its own.
    func watch(_ logger: Logger) async {
        var last = Writes()
        var looks = 0
        while (try? await Task.sleep(for: stallMax / StalledReader.looksMax)) != nil {
            let current = writes.withLock { $0 }
            looks = current == last ? looks + 1 : 0
            last = current
            guard current.isWriting, looks >= StalledReader.looksMax else { continue }
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
