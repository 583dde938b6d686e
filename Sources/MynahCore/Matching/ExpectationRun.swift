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
    package mutating func evaluate(_ views: [PushView], elapsed: Duration) -> Verdict {
        let finding = Finding(expectation, views)
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

    /// The answer to a verdict: `met`, `matched`, `items`, `failedAt`, `nearest`, `hints`.
    package func answer(_ verdict: Verdict, _ views: [PushView], _ surroundings: Surroundings) -> JSONValue {
        let finding = Finding(expectation, views)
        let isMet = verdict == .met
        var failedAt: JSONValue = .null
        if case .unmet(let step?) = verdict { failedAt = .number(JSONNumber(step)) }
        let nearest = isMet || finding.isExceeded ? [] : finding.nearest
        let hints = isMet ? [] : finding.hints(nearest, surroundings)
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

/// What of an expectation is in a list of pushes.
struct Finding {
    let expectation: Expectation
    /// All pushes.
    let views: [PushView]
    /// Those that count and match; for `inOrder` the one of each step.
    let matching: [PushView]

    init(_ expectation: Expectation, _ views: [PushView]) {
        self.expectation = expectation
        self.views = views
        let counted = views.filter { $0.entry.sequence > expectation.after }
        switch expectation.subject {
        case .matching(let filter, _):
            let sieve = Sieve(filter.and(expectation.scopeFilter))
            self.matching = counted.filter { sieve.passes($0) }
        case .inOrder(let filters):
            var matching: [PushView] = []
            var steps = filters.map { $0.and(expectation.scopeFilter) }[...]
            var sieve = steps.popFirst().map { Sieve($0) }
            for view in counted {
                guard let current = sieve else { break }
                guard current.passes(view) else { continue }
                matching.append(view)
                sieve = steps.popFirst().map { Sieve($0) }
            }
            self.matching = matching
        }
    }

    /// Whether the fewest are there.
    var isReached: Bool {
        switch expectation.subject {
        case .matching(_, let count): matching.count >= count.min
        case .inOrder(let filters): matching.count == filters.count
        }
    }

    /// Whether there are more than the most.
    var isExceeded: Bool {
        guard case .matching(_, let count) = expectation.subject, let max = count.max else { return false }
        return matching.count > max
    }

    /// The filter of `inOrder` for which no push is there.
    var failedAt: Int? {
        guard case .inOrder(let filters) = expectation.subject, matching.count < filters.count else { return nil }
        return matching.count
    }

    /// The filter that wants more pushes than there are.
    private var wanting: Filter {
        switch expectation.subject {
        case .matching(let filter, _): filter
        case .inOrder(let filters): matching.count < filters.count ? filters[matching.count] : Filter()
        }
    }

    /// The pushes among which the missing one would be: for `inOrder`, those after the last step that was found.
    private var candidates: [PushView] {
        var start = expectation.after
        if failedAt != nil, let last = matching.last { start = max(start, last.entry.sequence) }
        return views.filter { $0.entry.sequence > start }
    }

    /// The pushes that nearly match.
    var nearest: [NearMiss] {
        NearMiss.nearest(to: wanting.and(expectation.scopeFilter), among: candidates)
    }

    /// The usual causes, as far as they are seen here, a sentence each.
    func hints(_ nearest: [NearMiss], _ surroundings: ExpectationRun.Surroundings) -> [String] {
        if isExceeded { return ["\(matching.count) pushes match, more than were expected"] }
        var hints: [String] = []
        let sieve = Sieve(wanting.and(expectation.scopeFilter))
        let early = views.filter { $0.entry.sequence <= expectation.after && sieve.passes($0) }
        if let last = early.last {
            hints.append(
                "\(early.count) matched before after=\(expectation.after), the last of them \(last.entry.sequence)")
        }
        if let failedAt, failedAt > 0, let last = matching.last,
            let other = views.last(where: {
                $0.entry.sequence > expectation.after && $0.entry.sequence < last.entry.sequence && sieve.passes($0)
            })
        {
            let (early, late) = (other.entry.sequence, last.entry.sequence)
            hints.append("\(early) matches step \(failedAt) but came before \(late), step \(failedAt - 1)")
        }
        if surroundings.evictedThrough > expectation.after {
            hints.append("pushes up to \(surroundings.evictedThrough) were evicted; a larger --retain keeps more")
        }
        if let scope = expectation.scope {
            let anywhere = Sieve(wanting)
            for view in candidates where view.scope != scope && anywhere.passes(view) {
                let other = view.scope.map { "of scope \($0)" } ?? "of no scope"
                hints.append("\(view.entry.sequence) matches, but its token is \(other), not \(scope)")
                break
            }
        }
        let suspects = Set(nearest.map(\.sequence))
        for view in candidates where suspects.contains(view.entry.sequence) {
            if view.entry.outcome == .refused { hints.append(refusal(of: view)) }
            if view.entry.outcome == .pending { hints.append("\(view.entry.sequence) is still pending") }
        }
        return hints
    }

    private func refusal(of view: PushView) -> String {
        let reason = view.entry.reason?.rawValue ?? view.entry.status.map { "status \($0)" } ?? "no reason"
        return "\(view.entry.sequence) was refused with \(reason)" + (view.entry.detail.map { ": \($0)" } ?? "")
    }
}
