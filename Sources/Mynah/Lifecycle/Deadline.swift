/// Waits for something that may never happen, at most until a moment; answers whether it happened before that and
/// before the task was cancelled.
///
/// `event` returns when it has happened, or as soon as its task is cancelled.
func happens(before deadline: ContinuousClock.Instant, _ event: @escaping @Sendable () async -> Void) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask {
            await event()
            return !Task.isCancelled
        }
        group.addTask {
            // Cancelled when the other one is first, which is no failure.
            try? await Task.sleep(until: deadline, clock: .continuous)
            return false
        }
        let hasHappened = await group.next() ?? false
        group.cancelAll()
        return hasHappened
    }
}
