internal import ServiceLifecycle

/// The moments at which somebody who watches a device looks again: something arrived, or some time is over.
enum DeviceWakes {
    /// What happens when nothing arrives.
    enum Timer: Sendable {
        /// There is one end, and no wake before it.
        case until(ContinuousClock.Instant)
        /// A wake each time so much has passed.
        case every(Duration)
    }

    /// Runs `body` with a sequence of wakes, which never holds more than one and ends when the time is over, the
    /// device is gone, the server shuts down, or the caller's task is cancelled.
    static func with<Answer>(
        _ watched: AsyncStream<Void>, _ timer: Timer, _ body: (AsyncStream<Void>) async throws -> Answer
    ) async throws -> Answer {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watched { wake.yield() }
                wake.finish()
            }
            group.addTask { await run(timer, wake) }
            defer { group.cancelAll() }
            return try await withGracefulShutdownHandler {
                try await body(wakes)
            } onGracefulShutdown: {
                wake.finish()
            }
        }
    }

    /// Waits, or less when the task is cancelled.
    static func pause(_ duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            // Nothing but cancellation ends it early.
            throw CancellationError()
        }
    }

    private static func run(_ timer: Timer, _ wake: AsyncStream<Void>.Continuation) async {
        do throws(CancellationError) {
            switch timer {
            case .until(let deadline):
                try await pause(deadline - .now)
                wake.finish()
            case .every(let interval):
                while true {
                    try await pause(interval)
                    wake.yield()
                }
            }
        } catch {
            // Cancelled: whoever waited has what they wanted.
        }
    }
}
