/// Suspends the task until its continuation is resumed or the task is cancelled.
///
/// - Parameters:
///   - keep: Keeps the continuation; returns `false` if there is nothing to wait for, or the task is cancelled. Called
///     with the same lock as `take`, so that a cancellation finds what was kept.
///   - take: Gives the continuation up when the task is cancelled.
func suspend(
    _ keep: (CheckedContinuation<Void, Never>) -> Bool, onCancel take: @Sendable () -> CheckedContinuation<Void, Never>?
) async {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            if !keep(continuation) { continuation.resume() }
        }
    } onCancel: {
        take()?.resume()
    }
}

/// Waits for an event until a deadline; returns whether it happened before that and before the task was cancelled.
///
/// `event` returns when it has happened, or as soon as its task is cancelled.
func happens(before deadline: ContinuousClock.Instant, _ event: @escaping @Sendable () async -> Void) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask {
            await event()
            return !Task.isCancelled
        }
        group.addTask {
            // Cancelled when the event comes first.
            try? await Task.sleep(until: deadline, clock: .continuous)
            return false
        }
        let hasHappened = await group.next() ?? false
        group.cancelAll()
        return hasHappened
    }
}
