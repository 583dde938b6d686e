internal import NIOCore
internal import Synchronization

/// Processes waiting pushes when they are due, for tests that wait for a delivery, and to free memory; the results are
/// the same without it, because whatever reads a device processes what is due.
final class DeviceTimer: Sendable {
    private struct State {
        var task: Scheduled<Void>?
        var isEnded = false
    }

    private let state = Mutex(State())
    // When `look` is called next, by the monotonic clock; `.distantFuture` for never.
    private let looksAt = Atomic(NIODeadline.distantFuture.uptimeNanoseconds)
    private let loop: any EventLoop
    private let look: @Sendable () async -> Void

    /// A timer that calls `look` in a task of its own, not on the loop, which also answers pushes.
    init(on loop: any EventLoop, look: @escaping @Sendable () async -> Void) {
        self.loop = loop
        self.look = look
    }

    func scheduleLook(within delay: Duration) {
        let moment = NIODeadline.now() + TimeAmount(max(delay, .zero))
        // Nearly always an earlier call is scheduled, and no lock is taken.
        guard moment.uptimeNanoseconds < looksAt.load(ordering: .relaxed) else { return }
        state.withLock { state in
            guard moment.uptimeNanoseconds < looksAt.load(ordering: .relaxed), !state.isEnded else { return }
            state.task?.cancel()
            looksAt.store(moment.uptimeNanoseconds, ordering: .relaxed)
            state.task = loop.scheduleTask(deadline: moment) { [weak self] in
                guard let self else { return }
                looksAt.store(NIODeadline.distantFuture.uptimeNanoseconds, ordering: .relaxed)
                Task { await self.look() }
            }
        }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            state.task?.cancel()
            state.task = nil
        }
    }
}
