package import APNsRules

/// Limits how many events the firings of fault rules make.
///
/// The first firing of a rule is an event at once; further ones within ``interval`` are one event at its end, with the
/// counters of then. So a rule makes at most ten events a second, and the last of them has the last count. Remembers
/// only the rules that fired within the interval, and at most as many others.
package struct FiringPace: Sendable, Equatable {
    /// The least time between two events of one rule.
    package static let interval: Duration = .milliseconds(100)

    /// What is to be done about a firing.
    package enum Advice: Sendable, Equatable {
        /// Tell it now.
        case tell
        /// Ask for ``FiringPace/takeDue(at:)`` after so long.
        case tellLater(Duration)
        /// An event to come tells it.
        case isToldAnyway
    }

    private struct Told: Equatable {
        var at: Instant
        let interval: Duration
        var hasMore = false

        /// What is left of the interval; `nil` when it is over, or the wall clock was set back.
        func rest(at now: Instant) -> Duration? {
            let rest = interval - now.since(at)
            return rest > .zero && rest <= interval ? rest : nil
        }
    }

    private var told: [String: Told] = [:]
    // When so many rules are remembered, those that have been quiet are forgotten.
    private var rememberedMax = FiringPace.rememberedMin
    private static let rememberedMin = 64

    /// Remembers no firing.
    package init() {}

    /// How many rules are remembered.
    package var rememberedCount: Int { told.count }

    /// Notes that a rule fired, or that something else happened that is paced by a name and an interval of its own;
    /// returns what to do about it.
    package mutating func fired(
        _ rule: String, at now: Instant, interval: Duration = FiringPace.interval
    ) -> Advice {
        guard var last = told[rule] else {
            if told.count >= rememberedMax { forgetQuiet(at: now) }
            told[rule] = Told(at: now, interval: interval)
            return .tell
        }
        if last.hasMore { return .isToldAnyway }
        guard let rest = last.rest(at: now) else {
            told[rule] = Told(at: now, interval: interval)
            return .tell
        }
        last.hasMore = true
        told[rule] = last
        return .tellLater(rest)
    }

    /// Returns the rules whose further firings are due by now, by name, and when to ask again.
    ///
    /// Forgets the rules that have been quiet since.
    package mutating func takeDue(at now: Instant) -> (rules: [String], next: Duration?) {
        var due: [String] = []
        var next: Duration?
        for (rule, last) in told {
            if let rest = last.rest(at: now) {
                if last.hasMore { next = min(next ?? rest, rest) }
            } else if last.hasMore {
                due.append(rule)
                told[rule] = Told(at: now, interval: last.interval)
            } else {
                told[rule] = nil
            }
        }
        return (due.sorted(), next)
    }

    private mutating func forgetQuiet(at now: Instant) {
        told = told.filter { $0.value.hasMore || $0.value.rest(at: now) != nil }
        rememberedMax = max(FiringPace.rememberedMin, 2 * told.count)
    }
}
