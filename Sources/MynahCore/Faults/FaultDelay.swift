internal import APNsRules

/// How long an answer is held back (`Documents`: `delay`).
public struct FaultDelay: Sendable, Hashable {
    /// How the length is found.
    public enum Length: Sendable, Hashable {
        case fixed(Duration)
        /// Evenly distributed between the two.
        case uniform(Duration, Duration)
        /// Normally distributed around the mean, but never below zero or above a day.
        case normal(mean: Duration, deviation: Duration)
    }

    /// The clock that measures the delay.
    package enum Clock: String, CaseIterable, Sendable {
        /// Real time, even while the server's clock is frozen.
        case wall
        /// The server's clock: advancing it releases the answer.
        case virtual
    }

    /// A day, longer than any provider waits.
    package static let lengthMax: Duration = .seconds(24 * 3600)

    package let length: Length
    package let clock: Clock

    package init(_ length: Length, clock: Clock = .wall) {
        self.length = length
        self.clock = clock
    }

    var isRandom: Bool { if case .fixed = length { false } else { true } }

    /// The length for one request, in whole milliseconds; `random` is the generator of the ``FaultFiring``.
    package func duration(using random: inout SeededGenerator) -> Duration {
        switch length {
        case .fixed(let duration): return duration
        case .uniform(let least, let most):
            return .milliseconds(random.number(in: least.wholeMilliseconds...most.wholeMilliseconds))
        case .normal(let mean, let deviation):
            // The sum of twelve uniform numbers less six: mean 0, deviation 1, never beyond 6 of them. The core has
            // no logarithm, and no test of a provider asks for the tails.
            var sum = -6.0
            for _ in 0..<12 { sum += random.fraction() }
            let drawn = Double(mean.wholeMilliseconds) + sum * Double(deviation.wholeMilliseconds)
            let most = Double(FaultDelay.lengthMax.wholeMilliseconds)
            return .milliseconds(Int64(min(max(drawn, 0), most)))
        }
    }

    static let schema: Schema = [
        Member("delay", .any(schema: "FaultDelay"), summary: "How long the answer is held back."),
        Member("clock", .choice(Clock.self), summary: "The clock that measures delay.", default: "wall"),
    ]

    package static let form = Form.either(length, .object(distribution))
    private static let length = Form.duration(.zero...lengthMax)
    private static let distribution: Schema = [
        Member("uniform", .array(of: length, 2...2), summary: "The shortest and the longest delay."),
        Member(
            "normal", .array(of: length, 2...2),
            summary: "The mean and the standard deviation of a normal distribution."),
        Member("clock", .choice(Clock.self), summary: "The clock that measures the delay."),
    ]

    /// Reads `delay` and `clock` of an action; `nil` if it has neither.
    init?(_ action: ObjectReader) throws(InputError) {
        let given: Clock? = action.choice("clock")
        guard let json = action["delay"] else {
            guard given != nil else { return nil }
            throw action.error("clock", "clock is given without delay: expected both")
        }
        try FaultDelay.form.check(json, at: action.place("delay"))
        if let duration = action.duration("delay") {
            self.init(.fixed(duration), clock: given ?? .wall)
            return
        }
        let reader = try ObjectReader(json, at: action.place("delay"), FaultDelay.distribution)
        let clock: Clock? = reader.choice("clock")
        if let clock, let given, clock != given {
            throw reader.error("clock", "clock is \(given.rawValue) in the action and \(clock.rawValue) in delay")
        }
        try reader.refuse("normal", with: "uniform", because: "a delay has one distribution")
        let isUniform = reader["uniform"] != nil
        let pair = (reader.texts(isUniform ? "uniform" : "normal") ?? []).compactMap { DurationText.parse($0) }
        guard pair.count == 2 else {
            throw InputError(at: reader.pointer, "a delay needs a distribution", allowed: ["uniform", "normal"])
        }
        guard !isUniform || pair[0] <= pair[1] else {
            throw reader.error("uniform", "the first duration is longer than the second: expected the shortest first")
        }
        self.init(
            isUniform ? .uniform(pair[0], pair[1]) : .normal(mean: pair[0], deviation: pair[1]),
            clock: clock ?? given ?? .wall)
    }

    /// The members of an action for this delay: `delay`, and `clock` unless it is `wall`.
    var members: [JSONMember] {
        let value: JSONValue =
            switch length {
            case .fixed(let duration): .duration(duration)
            case .uniform(let least, let most): ["uniform": [.duration(least), .duration(most)]]
            case .normal(let mean, let deviation): ["normal": [.duration(mean), .duration(deviation)]]
            }
        return .given(("delay", value), ("clock", clock == .wall ? nil : .string(clock.rawValue)))
    }

    /// How late an answer is.
    var words: String {
        switch length {
        case .fixed(let duration): "\(DurationText.text(duration)) late"
        case .uniform(let least, let most): "\(DurationText.text(least)) to \(DurationText.text(most)) late"
        case .normal(let mean, _): "about \(DurationText.text(mean)) late"
        }
    }
}
