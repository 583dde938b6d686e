internal import APNsRules
internal import MynahCore

/// The times of all clocks at one moment, for one call about devices.
struct DeviceTime: Sendable {
    let clocks: ClockSet
    let wall: Instant

    /// The server's time.
    var now: Instant { clocks.now(wall: wall) }

    /// The time of a scope.
    func now(ofScope scope: String) -> Instant { clocks.now(ofScope: scope, wall: wall) }
}
