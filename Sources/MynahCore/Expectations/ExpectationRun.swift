package import APNsRules

/// One expectation while it is checked: told what is in the journal and how much time has passed, it answers
/// whether that decides it.
///
/// The server asks it at the start, when the journal has changed, and when the time it named has come. All pushes
/// are handed in each time, because an outcome may have changed; only those after `after` count.
package struct ExpectationRun: Sendable {
    /// What the pushes so far and the time say.
    package enum Verdict: Sendable, Equatable {
        /// It is as expected.
        case met
        /// It cannot become as expected any more; for `inOrder`, the filter without a push.
        case unmet(failedAt: Int?)
        /// Nothing yet; to be asked again when the journal changes, or when so much time has passed since the start.
        case undecided(until: Duration)
    }

    /// What is expected.
    package let expectation: Expectation
    // When the fewest were there; nil while they are not.
    private var reachedAt: Duration?

    /// A check that begins now.
    package init(_ expectation: Expectation) {
        self.expectation = expectation
    }

    /// Judges the pushes in order of their numbers, `elapsed` wall time after the start.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    package mutating func evaluate(
        _ views: [PushView], elapsed: Duration
    ) async throws(CancellationError) -> Verdict {
        let finding = try await Finding(expectation, views)
        if finding.isExceeded { return .unmet(failedAt: nil) }
        guard finding.isReached else {
            reachedAt = nil
            return elapsed >= expectation.within
                ? .unmet(failedAt: finding.failedAt) : .undecided(until: expectation.within)
        }
        // When a push came is not told apart from when it was seen: the journal wakes whoever waits at once, and a
        // look that is late by a little must not fail a test.
        let reachedAt = self.reachedAt ?? elapsed
        self.reachedAt = reachedAt
        let settledAt = reachedAt + expectation.settle
        return elapsed >= settledAt ? .met : .undecided(until: settledAt)
    }

    /// What an answer needs to know beside the pushes.
    package struct Surroundings: Sendable {
        /// ``JournalCounters/evictedThrough``.
        package let evictedThrough: UInt64

        /// The surroundings.
        package init(evictedThrough: UInt64) {
            self.evictedThrough = evictedThrough
        }
    }

    /// The pushes that match, in the order of their numbers; for `inOrder` the one of each step.
    package func matching(_ views: [PushView]) async throws(CancellationError) -> [PushView] {
        try await Finding(expectation, views).matching
    }

    /// The answer to a verdict: `met`, `matched`, `items`, `failedAt`, `nearest`, `hints`.
    package func answer(
        _ verdict: Verdict, _ views: [PushView], _ surroundings: Surroundings
    ) async throws(CancellationError) -> JSONValue {
        let finding = try await Finding(expectation, views)
        let isMet = verdict == .met
        var failedAt: JSONValue = .null
        if case .unmet(let step?) = verdict { failedAt = .number(JSONNumber(step)) }
        let nearest = isMet || finding.isExceeded ? [] : try await finding.nearest()
        let hints = try await finding.hints(isMet: isMet, nearest, surroundings)
        return [
            "met": .bool(isMet),
            "matched": .number(JSONNumber(finding.matching.count)),
            "items": .array(finding.matching.prefix(Expectation.itemsMax).map(\.json)),
            "failedAt": failedAt,
            "nearest": .array(nearest.map(\.json)),
            "hints": .array(hints.map { .string($0) }),
        ]
    }
}
