internal import APNsRules
internal import MynahCore

/// How a clock is set (`Documents#Clock`).
struct ClockChange {
    static let schema: Schema = [
        Member(
            "mode", .choice(ClockState.Mode.self),
            "real follows the system's clock, even if that sets this one back: what was delivered or has expired stays "
                + "so. offset runs at the same speed, ahead of it; frozen stands still until it is advanced. Without a "
                + "mode, the clock keeps its mode and continues from now."),
        Member("now", .time),
    ]

    let mode: ClockState.Mode?
    let now: Instant?

    /// - Throws: ``InputError`` if nothing is given, or a time for a real clock.
    init(_ reader: ObjectReader) throws(InputError) {
        mode = reader.choice("mode")
        now = reader.instant("now")
        guard mode != nil || now != nil else {
            throw reader.error(
                "mode", "neither mode nor now is given: expected at least one of them",
                allowed: ClockState.Mode.allCases.map(\.rawValue))
        }
        guard mode != .real || now == nil else {
            throw reader.error("now", "a real clock can't be set: it follows the wall clock; use mode offset or frozen")
        }
    }
}
