internal import NIOCore
internal import NIOPosix

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
        defer { group.cancelAll() }
        return await group.next() ?? false
    }
}

/// Threads for work that may take seconds, such as compiling thousands of regular expressions, so that the threads
/// that answer calls and pushes stay free.
package enum WorkThreads {
    /// Runs `work`; there is a thread for each processor.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive(work)
    }
}

/// The steps of a shutdown: each is taken even if earlier ones threw, and the first error is kept.
package struct Teardown {
    private var failure: (any Error)?

    package init() {}

    package mutating func run(_ step: () async throws -> Void) async {
        do { try await step() } catch { failure = failure ?? error }
    }

    /// Throws the first error, once all steps are taken.
    package func finish() throws {
        if let failure { throw failure }
    }
}
