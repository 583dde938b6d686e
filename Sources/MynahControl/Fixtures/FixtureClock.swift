package import APNsRules
package import MynahCore

/// The clock that fixtures begin with: `{"mode", "now"}`, as `PUT /v1/clock` takes it.
package struct FixtureClock: Sendable, Equatable {
    /// The clock's fields.
    static let fields = ["mode", "now"]

    private let mode: ClockState.Mode
    private let now: Instant?

    /// Reads a clock.
    init(_ members: [JSONMember], at base: String) throws(Problem) {
        for member in members where !FixtureClock.fields.contains(member.name) {
            throw Problem(
                .unknownField,
                "\(member.name) is no field of a clock"
                    + NearestName.suggestion(for: member.name, among: FixtureClock.fields),
                field: base + RequestDocument.pointer(member.name), allowed: FixtureClock.fields)
        }
        let document = JSONValue.object(members)
        var mode: ClockState.Mode?
        if let value = document["mode"], value != .null { mode = try ClockReading.mode(value, at: base + "/mode") }
        var now: Instant?
        if let value = document["now"], value != .null { now = try ClockReading.instant(value, at: base + "/now") }
        guard mode != nil || now != nil else {
            throw Problem(
                .invalidField, "neither mode nor now is given; one of them is what to set", field: base + "/mode",
                allowed: ClockState.Mode.allCases.map(\.rawValue))
        }
        guard mode != .real || now == nil else {
            throw Problem(
                .invalidField, "a real clock says what the wall says; give now to another mode", field: base + "/now")
        }
        self.mode = mode ?? .offset
        self.now = now
    }

    /// The clock of a server that starts when the wall says `wall`.
    ///
    /// A clock that stands may stand in the past, since nothing has happened yet; one that runs is at least as late as
    /// the wall's.
    /// - Throws: ``FixtureFault``.
    package func state(wall: Instant) throws(FixtureFault) -> ClockState {
        var clock = ClockState()
        do throws(ClockState.Backwards) {
            try clock.set(mode, now: now, wall: mode == .frozen ? min(wall, now ?? wall) : wall)
        } catch {
            throw FixtureFault(
                "/clock/now",
                "now is in the past, where only a frozen clock can stand; the wall says \(wall.rfc3339)")
        }
        return clock
    }
}
