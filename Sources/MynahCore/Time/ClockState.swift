package import APNsRules

/// The clock of the server or of one scope: the wall clock, ahead of it, or frozen (`Documents#Clock`).
///
/// No change puts it back, because expiry and budgets that were decided can't be undone. With the wall clock it goes back.
package struct ClockState: Sendable, Equatable {
    package enum Mode: String, CaseIterable, Sendable {
        case real
        /// The clock is ahead of the wall clock, and as fast.
        case offset
        /// The clock stands still until it is advanced.
        case frozen
    }

    /// The last moment to which a clock can be set: the end of the years with four digits (RFC 3339 §5.6).
    package static let latest = Instant.lastOfRFC3339

    private enum State: Sendable, Equatable {
        case real
        case offset(Duration)
        case frozen(Instant)
    }

    private var state = State.real
    package init() {}

    package var mode: Mode {
        switch state {
        case .real: .real
        case .offset: .offset
        case .frozen: .frozen
        }
    }

    /// The time when the wall clock reads `wall`.
    package func now(wall: Instant) -> Instant {
        switch state {
        case .real: wall
        case .offset(let offset): wall.advanced(by: offset)
        case .frozen(let instant): instant
        }
    }

    /// Advances the clock, which goes on from there unless it is frozen.
    /// - Throws: ``InputError/Kind/backwards``, as all changes do that a clock can't make.
    package mutating func advance(by duration: Duration, wall: Instant) throws(InputError) {
        try advance(to: now(wall: wall).advanced(by: duration), wall: wall)
    }

    package mutating func advance(to instant: Instant, wall: Instant) throws(InputError) {
        try set(mode == .frozen ? .frozen : .offset, now: instant, wall: wall)
    }

    /// Sets how the clock runs, and its time; without `now` it goes on from its present time, and a `real` clock has
    /// the wall's time whatever `now` is.
    package mutating func set(_ mode: Mode, now requested: Instant? = nil, wall: Instant) throws(InputError) {
        let current = now(wall: wall)
        let instant = mode == .real ? wall : requested ?? current
        // A clock that ran on beyond the end may stay where it is.
        guard instant >= current, instant <= max(ClockState.latest, current) else {
            throw ClockState.backwards(from: current, to: instant)
        }
        switch mode {
        case .real: state = .real
        case .offset: state = .offset(instant.since(wall))
        case .frozen: state = .frozen(instant)
        }
    }

    /// The error of a clock that was asked to go back, or beyond ``latest``.
    private static func backwards(from now: Instant, to requested: Instant) -> InputError {
        let wanted = requested > latest ? "beyond \(latest.rfc3339)" : "back to \(requested.rfc3339)"
        return InputError(.backwards, "the clock stands at \(now.rfc3339) and cannot go \(wanted)")
    }
}

/// How a clock runs, and its time, as `GET /v1/clock` shows them (`Documents#Clock`).
package struct ClockReading: Sendable {
    package let mode: ClockState.Mode
    package let now: Instant

    package init(mode: ClockState.Mode, now: Instant) {
        self.mode = mode
        self.now = now
    }

    package var json: JSONValue { .object(ClockReading.fields.members(of: self)) }

    package static let fields: Fields<ClockReading> = [
        Field(
            shown: "mode", .choice(ClockState.Mode.self),
            "How the clock runs: with the system's, ahead of it, or not at all."
        ) { .string($0.mode.rawValue) },
        Field(shown: "now", .time, "The clock's time.") { .string($0.now.rfc3339) },
    ]
}

extension ClockState {
    private static let schema: Schema = [
        Member("mode", .choice(Mode.self), isRequired: true), Member("ahead", .whole),
        Member("now", .whole),
    ]

    /// The clock whatever the wall's time is: how far it is ahead, or where it stands, in milliseconds.
    ///
    /// It is kept, and not an answer. Each mode has other members.
    package var json: JSONValue {
        switch state {
        case .real: ["mode": "real"]
        case .offset(let offset): ["mode": "offset", "ahead": .whole(offset.wholeMilliseconds)]
        case .frozen(let instant): ["mode": "frozen", "now": .whole(instant.milliseconds)]
        }
    }

    /// Reads what ``json`` writes.
    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, ClockState.schema)
        switch reader.choice("mode", Mode.self) ?? .real {
        case .real: state = .real
        case .offset: state = .offset(.milliseconds(reader.integer("ahead") ?? 0))
        case .frozen: state = .frozen(Instant(milliseconds: reader.integer("now") ?? 0))
        }
    }
}

extension ClockState: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(mode.rawValue)
        switch state {
        case .real: break
        case .offset(let offset): writer.write(offset)
        case .frozen(let instant): writer.write(instant)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let text = try String(from: &reader)
        switch Mode(rawValue: text) {
        case .real: state = .real
        case .offset: state = .offset(try reader.read())
        case .frozen: state = .frozen(try reader.read())
        case nil: throw reader.problem("\(text) is no mode of a clock")
        }
    }
}
