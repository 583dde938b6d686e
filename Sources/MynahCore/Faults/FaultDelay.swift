internal import APNsRules

/// How long an answer is held back (`Documents`: `delay`).
public struct FaultDelay: Sendable, Hashable {
    /// How the length is found.
    public enum Length: Sendable, Hashable {
        /// Always this.
        case fixed(Duration)
        /// Anything between the two, each length as likely.
        case uniform(Duration, Duration)
        /// About the mean; two of three within the deviation. Cut at zero and at a day.
        case normal(mean: Duration, deviation: Duration)
    }

    /// Whose time passes.
    package enum Clock: String, CaseIterable, Sendable {
        /// Real time, also while the server's clock stands.
        case wall
        /// The server's clock: an advance lets the answer go.
        case virtual
    }

    /// The longest delay: a day, beyond any provider's patience and below a forgotten server's uptime.
    package static let lengthMax: Duration = .seconds(24 * 3600)

    /// The length.
    package let length: Length
    /// The clock that counts it.
    package let clock: Clock

    /// A delay.
    package init(_ length: Length, clock: Clock = .wall) {
        self.length = length
        self.clock = clock
    }

    /// Whether the length is drawn anew for each request.
    package var isRandom: Bool {
        if case .fixed = length { false } else { true }
    }

    /// The length for one request, in whole milliseconds; `random` is that of ``FaultFiring``.
    package func duration(using random: inout SeededGenerator) -> Duration {
        switch length {
        case .fixed(let duration): return duration
        case .uniform(let least, let most):
            return .milliseconds(
                Int64.random(in: least.wholeMilliseconds...most.wholeMilliseconds, using: &random))
        case .normal(let mean, let deviation):
            // The sum of twelve uniform numbers less six: mean 0, deviation 1, never beyond 6 of them. The core has
            // no logarithm, and no test of a provider asks for the tails.
            var sum = -6.0
            for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &random) }
            let drawn = Double(mean.wholeMilliseconds) + sum * Double(deviation.wholeMilliseconds)
            let most = Double(FaultDelay.lengthMax.wholeMilliseconds)
            return .milliseconds(Int64(min(max(drawn, 0), most)))
        }
    }

    // MARK: - JSON

    /// Reads `delay` and `clock` of an action.
    init?(of fields: FaultFields) throws(QueryError) {
        let given = try fields.choice("clock", "clock", of: Clock.self)
        guard let json = fields["delay"] else {
            guard given == nil else {
                throw fields.error("clock", "clock says whose time delay counts; give delay too")
            }
            return nil
        }
        let place = fields.place("delay")
        guard json.object != nil else {
            let duration = try FaultFields.duration(json, at: place, in: .zero...FaultDelay.lengthMax)
            self.init(.fixed(duration), clock: given ?? .wall)
            return
        }
        let inner = try FaultFields(json, at: place, what: "delay", known: ["uniform", "normal", "clock"])
        let clock = try inner.choice("clock", "clock", of: Clock.self)
        if let clock, let given, clock != given {
            throw inner.error("clock", "clock is \(given.rawValue) beside delay and \(clock.rawValue) within it")
        }
        try inner.refuse("normal", with: "uniform", because: "a delay has one distribution")
        if let pair = inner["uniform"] {
            let (least, most) = try FaultDelay.pair(pair, at: inner.place("uniform"))
            guard least <= most else {
                throw inner.error("uniform", "the first duration, the least, is longer than the second")
            }
            self.init(.uniform(least, most), clock: clock ?? given ?? .wall)
        } else if let pair = inner["normal"] {
            let (mean, deviation) = try FaultDelay.pair(pair, at: inner.place("normal"))
            self.init(.normal(mean: mean, deviation: deviation), clock: clock ?? given ?? .wall)
        } else {
            throw QueryError(place, "a delay needs a distribution", allowed: ["uniform", "normal"])
        }
    }

    private static func pair(_ json: JSONValue, at place: String) throws(QueryError) -> (Duration, Duration) {
        guard let elements = json.array, elements.count == 2 else {
            throw QueryError(place, "\(json.encodedText) was given; an array of two durations was expected")
        }
        return (
            try FaultFields.duration(elements[0], at: place + "/0", in: .zero...lengthMax),
            try FaultFields.duration(elements[1], at: place + "/1", in: .zero...lengthMax)
        )
    }

    /// The members of an action that say this: `delay`, and `clock` where it is not the wall's.
    var members: [JSONMember] {
        func text(_ duration: Duration) -> JSONValue { .string(DurationText.text(duration)) }
        let value: JSONValue =
            switch length {
            case .fixed(let duration): text(duration)
            case .uniform(let least, let most): ["uniform": [text(least), text(most)]]
            case .normal(let mean, let deviation): ["normal": [text(mean), text(deviation)]]
            }
        return [JSONMember("delay", value)]
            + (clock == .wall ? [] : [JSONMember("clock", .string(clock.rawValue))])
    }
}
