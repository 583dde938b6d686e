internal import APNsRules

struct Finding {
    let expectation: Expectation
    let views: [PushView]
    /// The pushes that count and match; for `inOrder`, one for each step.
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

    var isReached: Bool {
        switch expectation.subject {
        case .matching(_, let count): matching.count >= count.min
        case .inOrder(let filters): matching.count == filters.count
        }
    }

    var isExceeded: Bool {
        guard case .matching(_, let count) = expectation.subject, let max = count.max else { return false }
        return matching.count > max
    }

    /// The index of the first filter of `inOrder` without a push.
    var failedAt: Int? {
        guard case .inOrder(let filters) = expectation.subject, matching.count < filters.count else { return nil }
        return matching.count
    }

    /// The filter that needs more pushes.
    var wanting: Filter {
        switch expectation.subject {
        case .matching(let filter, _): filter
        case .inOrder(let filters): matching.count < filters.count ? filters[matching.count] : Filter()
        }
    }

    /// The pushes among which the missing one would be: for `inOrder`, those after the last matching step.
    var candidates: [PushView] {
        var start = expectation.after
        if failedAt != nil, let last = matching.last { start = max(start, last.entry.sequence) }
        return views.filter { $0.entry.sequence > start }
    }

    /// The pushes that nearly match, without those of other scopes, which belong to other tests.
    func nearest() async throws(CancellationError) -> [NearMiss] {
        let scope = expectation.onlyScope
        let own = scope == nil ? candidates : candidates.filter { $0.scope == nil || $0.scope == scope }
        return try await NearMiss.nearest(to: wanting.and(expectation.scopeFilter), among: own)
    }
}
