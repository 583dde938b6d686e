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

extension ClockState.Change: KeptValue {
    private static let schema: Schema = [
        "advance": .array(of: .whole), "mode": .choice(ClockState.Mode.self), "now": .whole, "reach": .whole,
    ]

    package init(kept json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, Self.schema)
        if let advance = reader["advance"] {
            let parts = advance.array?.compactMap(\.integer) ?? []
            guard parts.count == 2 else {
                throw .mismatch(advance, at: reader.place("advance"), expected: "seconds and attoseconds")
            }
            self = .advance(by: Duration(secondsComponent: parts[0], attosecondsComponent: parts[1]))
        } else if let moment = try reader.map("reach", Instant.init(kept:at:)) {
            self = .reach(moment)
        } else {
            self = .set(reader.choice("mode"), now: try reader.map("now", Instant.init(kept:at:)))
        }
    }

    /// A duration is its seconds and attoseconds, since one of a document is in whole milliseconds.
    ///
    /// It is kept, and not an answer. Each kind of change has other members.
    package var json: JSONValue {
        switch self {
        case .advance(let duration):
            ["advance": [.whole(duration.components.seconds), .whole(duration.components.attoseconds)]]
        case .reach(let moment): ["reach": moment.json]
        case .set(let mode, let now): .object(.given(("mode", mode.map { .string($0.rawValue) }), ("now", now?.json)))
        }
    }
}
