internal import ServiceLifecycle

/// The updates on which a reader looks at a device again: something arrived, or a timer fired.
enum DeviceUpdates {
    enum Timer: Sendable {
        /// The updates end at this time.
        case until(ContinuousClock.Instant)
        /// An update comes at least this often.
        case every(Duration)
    }

    /// Runs `body` with a sequence of updates, which buffers at most one and ends when the time is over, the device is
    /// removed, the server shuts down, or the task is cancelled.
    static func with<Answer>(
        _ watched: AsyncStream<Void>, timer: Timer, _ body: (AsyncStream<Void>) async throws -> Answer
    ) async throws -> Answer {
        let (updates, update) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watched { update.yield() }
                update.finish()
            }
            group.addTask { await run(timer, update) }
            defer { group.cancelAll() }
            return try await withGracefulShutdownHandler {
                try await body(updates)
            } onGracefulShutdown: {
                update.finish()
            }
        }
    }

    private static func run(_ timer: Timer, _ update: AsyncStream<Void>.Continuation) async {
        // Only cancellation ends a sleep early; then no reader waits for updates any more.
        switch timer {
        case .until(let deadline):
            guard (try? await Task.sleep(for: deadline - .now)) != nil else { return }
            update.finish()
        case .every(let interval):
            while (try? await Task.sleep(for: interval)) != nil { update.yield() }
        }
    }
}
