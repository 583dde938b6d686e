package import APNsRules

/// The check of an expectation against the journal, as time passes.
///
/// The server evaluates it at the start, when the journal has changed, and when the time in ``Verdict/undecided(until:)``
/// has come. It gets all pushes each time, because an outcome may have changed.
package struct ExpectationRun: Sendable {
    package enum Verdict: Sendable, Equatable {
        case met
        /// Can no longer be met; `failedAt` is the index of the first filter of `inOrder` without a push.
        case unmet(failedAt: Int?)
        /// Evaluate again when the journal changes, or when this much time has passed since the start.
        case undecided(until: Duration)
    }

    package let expectation: Expectation
    // When enough pushes had arrived.
    private var reachedAt: Duration?
    package init(_ expectation: Expectation) { self.expectation = expectation }

    /// Judges the pushes in order of their numbers, `elapsed` wall time after the start.
    package mutating func evaluate(_ views: [PushView], elapsed: Duration) async throws(CancellationError) -> Verdict {
        let finding = try await Finding(expectation, views)
        if finding.isExceeded { return .unmet(failedAt: nil) }
        guard finding.isReached else {
            reachedAt = nil
            return elapsed >= expectation.within
                ? .unmet(failedAt: finding.failedAt) : .undecided(until: expectation.within)
        }
        // The time at which the pushes were seen counts, not the time of their arrival, so that a late look does not
        // fail a test.
        let reachedAt = self.reachedAt ?? elapsed
        self.reachedAt = reachedAt
        let settledAt = reachedAt + expectation.settle
        return elapsed >= settledAt ? .met : .undecided(until: settledAt)
    }

    /// The pushes that match, in the order of their numbers; for `inOrder`, one for each step.
    package func matching(_ views: [PushView]) async throws(CancellationError) -> [PushView] {
        try await Finding(expectation, views).matching
    }

    /// The answer to a verdict: `met`, `matched`, `items`, `failedAt`, `nearest`, `hints`.
    package func answer(
        _ verdict: Verdict, _ views: [PushView], evictedThrough: UInt64
    ) async throws(CancellationError) -> JSONValue {
        let finding = try await Finding(expectation, views)
        let isMet = verdict == .met
        let failedAt: Int? = if case .unmet(let step) = verdict { step } else { nil }
        let nearest = isMet || finding.isExceeded ? [] : try await finding.nearest()
        let hints = try await finding.hints(isMet: isMet, nearest, evictedThrough: evictedThrough)
        return [
            "met": .bool(isMet), "matched": .whole(finding.matching.count),
            "items": .array(finding.matching.prefix(Expectation.itemsMax).map(\.json)),
            "failedAt": .whole(failedAt), "nearest": .array(nearest.map(\.json)), "hints": .texts(hints),
        ]
    }
}
