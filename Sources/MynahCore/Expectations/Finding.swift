internal import APNsRules

/// What of an expectation is in a list of pushes.
struct Finding {
    let expectation: Expectation
    /// All pushes.
    let views: [PushView]
    /// Those that count and match; for `inOrder` the one of each step.
    let matching: [PushView]

    /// Judges all pushes, pausing for other tasks.
    init(_ expectation: Expectation, _ views: [PushView]) async throws(CancellationError) {
        self.expectation = expectation
        self.views = views
        switch expectation.subject {
        case .matching(let filter, _):
            let judged = filter.and(expectation.scopeFilter)
            self.matching = try await TaskPacer.filter(views) {
                $0.entry.sequence > expectation.after && judged.matches($0)
            }
        case .inOrder(let filters):
            var matching: [PushView] = []
            var steps = filters.map { $0.and(expectation.scopeFilter) }[...]
            var pacer = TaskPacer()
            for view in views where view.entry.sequence > expectation.after {
                guard let step = steps.first else { break }
                if step.matches(view) {
                    matching.append(view)
                    steps.removeFirst()
                }
                try await pacer.step()
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

    /// The pushes that nearly match; those of other scopes belong to other tests and are never near misses.
    func nearest() async throws(CancellationError) -> [NearMiss] {
        let scope = expectation.onlyScope
        let own = scope == nil ? candidates : candidates.filter { $0.scope == nil || $0.scope == scope }
        return try await NearMiss.nearest(to: wanting.and(expectation.scopeFilter), among: own)
    }
}
