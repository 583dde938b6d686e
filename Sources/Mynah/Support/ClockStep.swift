internal import APNsRules
internal import Logging
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// A step by which the system's clock was set back.
struct ClockStep: Equatable, Sendable, CustomStringConvertible {
    /// The smallest step that is reported: smaller ones are how clocks are kept right.
    static let min: Duration = .seconds(1)

    let length: Duration
    /// The time to which the clock was set back.
    let now: Instant

    /// The step from a time that the clock has had, or would have, to the one that it has; `nil` if it was not set back.
    init?(from before: Instant, to now: Instant) {
        let length = before.since(now)
        guard length >= ClockStep.min else { return nil }
        self.length = length
        self.now = now
    }

    var description: String {
        // The step is rounded, because both clocks can't be read at the same moment.
        let seconds = (length + .milliseconds(500)).components.seconds
        let back = DurationText.text(.seconds(seconds))
        return "it is \(back) back, at \(now.rfc3339): pushes get earlier times than those before, and what is due "
            + "waits longer, except on a frozen clock"
    }
}

/// Compares the system's clock with one that only runs on.
struct ClockComparison {
    private var last: (wall: Instant, uptime: Duration)?

    /// Compares both clocks with their readings at the last call; returns by how much the system's was set back since.
    mutating func compareWithLast(wall: Instant, uptime: Duration) -> ClockStep? {
        defer { last = (wall, uptime) }
        return last.flatMap { ClockStep(from: $0.wall.advanced(by: uptime - $0.uptime), to: wall) }
    }
}

/// Has a server log when the system's clock is set back.
///
/// It has to look, because no system call waits for that: Linux only cancels a timer that waits for a time of the clock
/// (timerfd_create(2)), which an event loop can't wait for, and other systems tell nothing. A look reads two clocks, a
/// microsecond each second.
final class ClockWatch: Sendable {
    /// How often the clocks are compared: what happened by a clock that was wrong in between isn't told of.
    private static let pause = TimeAmount.seconds(1)
    private let task = Mutex<RepeatedTask?>(nil)

    func begin(on loop: any EventLoop, logger: Logger) {
        let comparison = NIOLoopBoundBox.makeBoxSendingValue(ClockComparison(), eventLoop: loop)
        let task = loop.scheduleRepeatedTask(initialDelay: .zero, delay: ClockWatch.pause) { _ in
            let uptime = Duration.nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds))
            guard let step = comparison.value.compareWithLast(wall: WallClock.now(), uptime: uptime) else { return }
            logger.warning("the system's clock was set back: \(step)")
        }
        self.task.withLock { $0 = task }
    }

    func end() { task.withLock { $0?.cancel() } }
}
