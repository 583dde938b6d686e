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
    /// What the last evaluation has found.
    package private(set) var finding: Finding?
    package init(_ expectation: Expectation) { self.expectation = expectation }

    /// Judges the pushes in order of their numbers, `elapsed` wall time after the start.
    /// - Parameter isChanged: Whether other pushes count than at the last evaluation, or outcomes changed: those that
    ///   stayed the same aren't judged again when only the time is over.
    package mutating func evaluate(
        _ views: @autoclosure () -> [PushView], isChanged: Bool = true, elapsed: Duration
    ) async throws(CancellationError) -> Verdict {
        let finding: Finding
        if !isChanged, let known = self.finding {
            finding = known
        } else {
            finding = try await Finding(expectation, views())
            self.finding = finding
        }
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
}
