internal import APNsRules
internal import MynahCore

/// The times of all clocks at one moment.
struct DeviceTime: Sendable {
    let clocks: ClockSet
    let wall: Instant
    var now: Instant { clocks.now(wall: wall) }
    /// The time of a scope's clock, with `nil` of the server's.
    func now(ofScope scope: String?) -> Instant { clocks.now(ofScope: scope, wall: wall) }
}
