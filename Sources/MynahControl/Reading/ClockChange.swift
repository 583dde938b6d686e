internal import APNsRules
internal import MynahCore

/// How a clock is set (`Documents#Clock`).
struct ClockChange {
    static let schema: Schema = [
        Member(
            "mode", .choice(ClockState.Mode.self),
            "real follows the system's clock, also where that puts this one back: what was delivered or has expired stays "
                + "so. offset runs as fast and ahead of it; frozen stands until it is advanced. Without a mode, the clock "
                + "goes on as it does, from now."),
        Member("now", .time),
    ]

    let mode: ClockState.Mode?
    let now: Instant?

    /// - Throws: ``InputError`` when nothing is to be set, and for a time of a real clock.
    init(_ reader: ObjectReader) throws(InputError) {
        mode = reader.choice("mode")
        now = reader.instant("now")
        guard mode != nil || now != nil else {
            throw reader.error(
                "mode", "neither mode nor now is given; one of them is what to set",
                allowed: ClockState.Mode.allCases.map(\.rawValue))
        }
        guard mode != .real || now == nil else {
            throw reader.error("now", "a real clock says what the wall says; give now to another mode")
        }
    }
}
