internal import APNsRules
internal import Synchronization

/// The system's time as a simulation sees it: of the system's clock or, where commands have one order, of the command
/// that is being applied, so that the same commands always have the same result.
final class Wall: Sendable {
    private static let followsSystem = Int64.min
    private let milliseconds = Atomic<Int64>(Wall.followsSystem)

    var now: Instant {
        let milliseconds = milliseconds.load(ordering: .relaxed)
        return milliseconds == Wall.followsSystem ? WallClock.now() : Instant(milliseconds: milliseconds)
    }

    /// Stands at a time until the next call.
    func set(to time: Instant) { milliseconds.store(time.milliseconds, ordering: .relaxed) }
}
