internal import APNsRules

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
    var wanting: Filter {
        switch expectation.subject {
        case .matching(let filter, _): filter
        case .inOrder(let filters): matching.count < filters.count ? filters[matching.count] : Filter()
        }
    }

    /// The pushes among which the missing one would be: for `inOrder`, those after the last step that was found.
    var candidates: [PushView] {
        var start = expectation.after
        if failedAt != nil, let last = matching.last { start = max(start, last.entry.sequence) }
        return views.filter { $0.entry.sequence > start }
    }

    /// The pushes that nearly match; those of other scopes are somebody else's, and never nearly ours.
    var nearest: [NearMiss] {
        let scope = expectation.onlyScope
        let own = scope == nil ? candidates : candidates.filter { $0.scope == nil || $0.scope == scope }
        return NearMiss.nearest(to: wanting.and(expectation.scopeFilter), among: own)
    }
}
