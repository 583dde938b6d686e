internal import APNsRules
internal import NIOCore
internal import Synchronization

/// Processes waiting pushes when they are due, even if nothing reads the devices: for tests that wait for a delivery,
/// and to free memory; the results are the same without it.
final class DeviceTimer: Sendable {
    private struct State {
        var task: Scheduled<Void>?
        var isEnded = false
    }

    private let state = Mutex(State())
    // When `look` is called next, in milliseconds of the monotonic clock; `.max` for never.
    private let looksAt = Atomic<Int64>(.max)
    private let loop: any EventLoop
    private let look: @Sendable () -> Void

    /// A timer that calls `look` in a task of its own, not on the loop, which also answers pushes.
    init(on loop: any EventLoop, look: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.look = look
    }

    func lookWithin(_ delay: Duration) {
        let milliseconds = max(delay, .zero).wholeMillisecondsUp
        let moment = DeviceTimer.now &+ min(milliseconds, Int64.max / 4)
        // Nearly always an earlier call is scheduled, and no lock is taken.
        guard moment < looksAt.load(ordering: .relaxed) else { return }
        state.withLock { state in
            guard moment < looksAt.load(ordering: .relaxed), !state.isEnded else { return }
            state.task?.cancel()
            looksAt.store(moment, ordering: .relaxed)
            state.task = loop.scheduleTask(in: .milliseconds(milliseconds)) { [weak self] in
                guard let self else { return }
                self.looksAt.store(.max, ordering: .relaxed)
                Task { self.look() }
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

    private static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }
}

extension Duration {
    /// Whole milliseconds, rounded up so that what is due then is due.
    fileprivate var wholeMillisecondsUp: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < Int64.max / 2000 else { return Int64.max / 2 }
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
