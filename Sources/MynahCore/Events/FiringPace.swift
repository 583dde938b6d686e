package import APNsRules

/// How often the firings of fault rules are told, however often rules fire.
///
/// The first firing of a rule is told at once; further ones within ``interval`` are told in one event at its end, with
/// the counters of then. So a rule makes at most ten events a second, and the last of them has the last count.
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
        var hasMore = false
    }

    private var told: [String: Told] = [:]

    /// Nothing fired.
    package init() {}

    /// A rule fired.
    package mutating func fired(_ rule: String, at now: Instant) -> Advice {
        guard var last = told[rule] else {
            told[rule] = Told(at: now)
            return .tell
        }
        if last.hasMore { return .isToldAnyway }
        let rest = FiringPace.interval - now.since(last.at)
        // A wall clock that was set back must not make anybody wait for it.
        guard rest > .zero, rest <= FiringPace.interval else {
            told[rule] = Told(at: now)
            return .tell
        }
        last.hasMore = true
        told[rule] = last
        return .tellLater(rest)
    }

    /// The rules whose further firings are to be told by now, by name, and when the next will be.
    ///
    /// Forgets the rules that have been quiet since.
    package mutating func takeDue(at now: Instant) -> (rules: [String], next: Duration?) {
        var due: [String] = []
        var next: Duration?
        for (rule, last) in told {
            let rest = FiringPace.interval - now.since(last.at)
            if rest > .zero, rest <= FiringPace.interval {
                if last.hasMore { next = min(next ?? rest, rest) }
            } else if last.hasMore {
                due.append(rule)
                told[rule] = Told(at: now)
            } else {
                told[rule] = nil
            }
        }
        return (due.sorted(), next)
    }
}
