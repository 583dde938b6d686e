package import APNsRules
internal import MynahCore
internal import MynahSystem

/// The system's clock.
package enum WallClock {
    package static func now() -> Instant { Instant(milliseconds: systemMilliseconds()) }
}

/// The times of all clocks at one moment.
struct DeviceTime: Sendable {
    let clocks: ClockSet
    let wall: Instant
    var now: Instant { clocks.now(wall: wall) }
    /// The time of a scope's clock, with `nil` of the server's.
    func now(ofScope scope: String?) -> Instant { clocks.now(ofScope: scope, wall: wall) }
}
