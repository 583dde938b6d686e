package import APNsRules

/// What time it is for the server or for one scope: as on the wall, ahead of it, or standing (`Documents#Clock`).
///
/// A value: whoever owns it asks the wall and hands the answer in. It never goes back, since expiry and budgets
/// that were decided once cannot be undone.
package struct ClockState: Sendable, Equatable {
    /// How the clock runs.
    package enum Mode: String, CaseIterable, Sendable {
        /// As the wall clock.
        case real
        /// As fast as the wall clock, ahead of it.
        case offset
        /// Only when it is advanced.
        case frozen
    }

    /// The last moment that a clock can be set to: the end of the years with four digits (RFC 3339 §5.6).
    package static let latest = Instant(milliseconds: 253_402_300_799_999)

    /// The clock was asked to go back, or beyond ``ClockState/latest``.
    package struct Backwards: Error, Equatable, Sendable {
        /// What the clock says.
        package let now: Instant
        /// What it was asked to say.
        package let requested: Instant

        /// The two times.
        package init(now: Instant, requested: Instant) {
            self.now = now
            self.requested = requested
        }

        /// One sentence.
        package var problem: String {
            requested > ClockState.latest
                ? "the clock stands at \(now.rfc3339) and cannot go beyond \(ClockState.latest.rfc3339)"
                : "the clock stands at \(now.rfc3339) and cannot go back to \(requested.rfc3339)"
        }
    }

    private enum State: Sendable, Equatable {
        case real
        case offset(Duration)
        case frozen(Instant)
    }

    private var state: State = .real

    /// A clock that runs as the wall's.
    package init() {}

    /// How it runs.
    package var mode: Mode {
        switch state {
        case .real: .real
        case .offset: .offset
        case .frozen: .frozen
        }
    }

    /// The time, when the wall says `wall`.
    package func now(wall: Instant) -> Instant {
        switch state {
        case .real: wall
        case .offset(let offset): wall.advanced(by: offset)
        case .frozen(let instant): instant
        }
    }

    /// Moves the clock on by a duration; one that runs goes on running from there.
    package mutating func advance(by duration: Duration, wall: Instant) throws(Backwards) {
        try advance(to: now(wall: wall).advanced(by: duration), wall: wall)
    }

    /// Moves the clock on to a moment; one that runs goes on running from there.
    package mutating func advance(to instant: Instant, wall: Instant) throws(Backwards) {
        try set(mode == .frozen ? .frozen : .offset, now: instant, wall: wall)
    }

    // One that ran on from the end may stay where it is.
    private func latestFrom(_ current: Instant) -> Instant { max(ClockState.latest, current) }

    /// Sets how the clock runs, and what it says where that can be chosen; without `now` it goes on from what it
    /// says.
    ///
    /// `real` is the wall's time whatever `now` is.
    package mutating func set(_ mode: Mode, now requested: Instant? = nil, wall: Instant) throws(Backwards) {
        let current = now(wall: wall)
        let instant = mode == .real ? wall : requested ?? current
        guard instant >= current, instant <= latestFrom(current) else {
            throw Backwards(now: current, requested: instant)
        }
        switch mode {
        case .real: state = .real
        case .offset: state = .offset(instant.since(wall))
        case .frozen: state = .frozen(instant)
        }
    }
}
