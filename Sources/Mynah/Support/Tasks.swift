internal import MynahSystem
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Suspends the task until its continuation is resumed or the task is cancelled: `keep` keeps the continuation, or
/// returns `false` if there is nothing to wait for or the task is cancelled; `take` gives it up on cancellation; both
/// take the same lock, so that a cancellation finds what was kept.
func suspend(
    _ keep: (CheckedContinuation<Void, Never>) -> Bool, onCancel take: @Sendable () -> CheckedContinuation<Void, Never>?
) async {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in if !keep(continuation) { continuation.resume() } }
    } onCancel: {
        take()?.resume()
    }
}

/// A value in a lock, and the tasks that wait for it to meet a condition; they are resumed outside the lock.
final class Watched<Value: Sendable>: Sendable {
    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Waiter {
        let isOver: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var value: Value
        var waiters: [UInt64: Waiter] = [:]

        mutating func takeDue() -> [CheckedContinuation<Void, Never>] {
            guard !waiters.isEmpty else { return [] }
            let due = waiters.filter { $0.value.isOver(value) }
            for ticket in due.keys { waiters[ticket] = nil }
            return due.values.map(\.continuation)
        }
    }

    private let state: Mutex<State>
    private let tickets = Atomic<UInt64>(0)
    init(_ value: Value) { state = Mutex(State(value: value)) }
    func read<Answer: Sendable>(_ body: (Value) -> Answer) -> Answer { state.withLock { body($0.value) } }

    @discardableResult
    func change<Answer: Sendable>(_ body: (inout Value) -> Answer) -> Answer {
        let (answer, due) = state.withLock { state in (body(&state.value), state.takeDue()) }
        for continuation in due { continuation.resume() }
        return answer
    }

    /// Waits until a condition holds after a change, or the task is cancelled.
    func wait(until isOver: @escaping @Sendable (Value) -> Bool) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await suspend { continuation in
            state.withLock { state in
                guard !Task.isCancelled, !isOver(state.value) else { return false }
                state.waiters[ticket] = Waiter(isOver: isOver, continuation: continuation)
                return true
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket)?.continuation }
        }
    }
}

/// Waits until `event` returns; `false` if the deadline or the task's cancellation is first, which both cancel `event`.
func finishes(before deadline: ContinuousClock.Instant, _ event: @escaping @Sendable () async -> Void) async -> Bool {
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

/// Threads for work that may take seconds, one for each processor; the threads that answer calls and pushes stay free.
package enum WorkThreads {
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive(work)
    }

    /// Calls `work` with each element, on all processors that are free, this thread among them; returns the results in
    /// order, when all calls have returned.
    static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ work: @escaping @Sendable (Element) -> Value
    ) -> [Value] {
        let shared = SharedWork<Value>(count: elements.count)
        for _ in 1..<max(2, min(elements.count, System.coreCount)) {
            // Threads that begin when no piece is left return at once.
            NIOSingletons.posixBlockingThreadPool.submit { _ in shared.runRemainingPieces { work(elements[$0]) } }
        }
        shared.runRemainingPieces { work(elements[$0]) }
        return shared.results()
    }
}

/// Pieces of work that several threads take.
private final class SharedWork<Value: Sendable>: Sendable {
    private let count: Int
    private let taken = Atomic<Int>(0)
    private let done: Mutex<[Int: Value]> = Mutex([:])
    init(count: Int) { self.count = count }

    func runRemainingPieces(_ work: (Int) -> Value) {
        while true {
            let index = taken.add(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let value = work(index)
            done.withLock { $0[index] = value }
        }
    }

    /// The results in order, after the pieces that other threads have taken.
    func results() -> [Value] {
        while done.withLock({ $0.count }) < count { sched_yield() }
        return done.withLock { done in done.sorted { $0.key < $1.key }.map(\.value) }
    }
}

/// The steps of a shutdown: each is taken even if earlier ones threw, and the first error is kept.
package struct Teardown {
    private var failure: (any Error)?
    package init() {}

    package mutating func run(_ step: () async throws -> Void) async {
        do { try await step() } catch { failure = failure ?? error }
    }

    package func finish() throws { if let failure { throw failure } }
}
