package import APNsRules
package import MynahCore

/// The clock that fixtures begin with: `{"mode", "now"}`, as `PUT /v1/clock` takes it.
package struct FixtureClock: Sendable, Equatable {
    private let mode: ClockState.Mode
    private let now: Instant?

    init(_ json: JSONValue, at place: String) throws(InputError) {
        let change = try ClockChange(ObjectReader(json, at: place, ClockChange.schema))
        mode = change.mode ?? .offset
        now = change.now
    }

    /// The clock of a server that starts when the wall says `wall`.
    ///
    /// A clock that stands may stand in the past, since nothing has happened yet; one that runs is at least as late as
    /// the wall's.
    /// - Throws: ``InputError``.
    package func state(wall: Instant) throws(InputError) -> ClockState {
        var clock = ClockState()
        do throws(ClockState.Backwards) {
            try clock.set(mode, now: now, wall: mode == .frozen ? min(wall, now ?? wall) : wall)
        } catch {
            throw InputError(
                at: "/clock/now",
                "now is in the past, where only a frozen clock can stand; the wall says \(wall.rfc3339)")
        }
        return clock
    }
}
