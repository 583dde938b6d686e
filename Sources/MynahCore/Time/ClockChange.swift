package import APNsRules

extension ClockState {
    /// A change of a clock, as a call asks for it.
    package enum Change: Sendable, Equatable {
        case advance(by: Duration)
        /// Sets the time, how the clock runs, or both: without a mode a running clock goes on from there, without a time
        /// from its present one.
        case set(Mode? = nil, now: Instant? = nil)
        /// Sets the time, unless the clock has passed it.
        case reach(Instant)
    }

    package mutating func apply(_ change: Change, wall: Instant) throws(InputError) {
        switch change {
        case .advance(let duration): try advance(by: duration, wall: wall)
        case .set(let mode?, let now): try set(mode, now: now, wall: wall)
        case .set(nil, let now?): try advance(to: now, wall: wall)
        case .set(nil, nil): break
        case .reach(let moment): try advance(to: max(moment, now(wall: wall)), wall: wall)
        }
    }
}
