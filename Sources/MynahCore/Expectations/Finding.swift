internal import APNsRules

/// The pushes of the journal that count for an expectation, and the pushes that explain why it is unmet.
package struct Finding: Sendable {
    /// Where pushes are that may explain why an expectation is unmet: the newest ``count`` in a range of numbers that may
    /// pass a filter.
    package struct Search: Sendable {
        package let after: UInt64
        package let last: UInt64
        package let prefilter: EntryPrefilter
        /// How many pushes are looked at, at most.
        package let count: Int
    }

    let expectation: Expectation
    private(set) var views: [PushView]
    /// The pushes that count and match, in the order of their numbers; for `inOrder`, one for each step.
    package let matching: [PushView]

    /// Judges pushes in the order of their numbers, among them all that may count, pausing for other tasks.
    package init(_ expectation: Expectation, _ views: [PushView]) async throws(CancellationError) {
        self.expectation = expectation
        self.views = views
        switch expectation.subject {
        case .matching(let filter, _):
            let judged = filter.and(expectation.scopeFilter)
            self.matching = try await TaskPacer.filter(views) { view in
                view.entry.sequence > expectation.after && judged.matches(view)
                    && !expectation.otherThan.contains { $0.matches(view) }
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

    /// What is to be found for ``add(_:)`` before an answer, besides the pushes that may count.
    package var searches: [Search] {
        guard !isExceeded else { return [] }
        let scope = expectation.onlyScope
        let first = firstCandidate
        func search(after: UInt64, through last: UInt64 = .max, _ prefilter: EntryPrefilter) -> Search {
            Search(after: after, last: last, prefilter: prefilter, count: searchedMax)
        }
        var searches = [search(after: first, scope.map { EntryPrefilter(scopeOrNone: $0) } ?? EntryPrefilter())]
        if scope != nil { searches.append(search(after: first, EntryPrefilter(anywhere))) }
        if expectation.after > 0 {
            searches.append(search(after: 0, through: expectation.after, EntryPrefilter(wanted)))
        }
        return searches
    }

    private var searchedMax: Int { NearMiss.searchedMax(for: wanting) }

    /// Adds what was found, in any order; pushes that are known already are left out.
    package mutating func add(_ found: [Entry]) {
        let added = found.filter { !Finding.has($0.sequence, in: views) }
        guard !added.isEmpty else { return }
        views += added.map { PushView($0) }
        views.sort { $0.entry.sequence < $1.entry.sequence }
    }

    /// Whether a push is among others in the order of their numbers.
    private static func has(_ sequence: UInt64, in views: [PushView]) -> Bool {
        let place = views.firstIndexInOrder { $0.entry.sequence >= sequence }
        return place < views.count && views[place].entry.sequence == sequence
    }

    /// Makes the answer to an expectation from its verdict.
    /// - Parameters:
    ///   - counters: The counters of the journal.
    ///   - lastSequence: The last number that was given out.
    ///   - absentDevices: Which of the devices that the expectation names are not there.
    package func makeAnswer(
        _ verdict: ExpectationRun.Verdict, _ counters: JournalCounters, lastSequence: UInt64,
        absentDevices: [String] = []
    ) async throws(CancellationError) -> ExpectationAnswer {
        let isMet = verdict == .met
        let failedAt: Int? = if case .unmet(let step) = verdict { step } else { nil }
        let nearest = isMet || isExceeded ? [] : try await nearest()
        // A device that has been removed may have got pushes before.
        let unknown = absentDevices.filter { id in !views.contains { $0.device == id } }
        let hints =
            unknown.map { "there is no device \($0)" }
            + (try await hints(isMet: isMet, nearest, evictedThrough: counters.evictedThrough))
        return ExpectationAnswer(
            isMet: isMet, matching: matching, failedAt: failedAt, nearest: nearest, hints: hints,
            evicted: counters.evicted, lastSequence: lastSequence)
    }

    var isReached: Bool {
        switch expectation.subject {
        case .matching(_, let count): matching.count >= count.least
        case .inOrder(let filters): matching.count == filters.count
        }
    }

    var isExceeded: Bool { count?.most.map { matching.count > $0 } == true }

    /// The index of the first filter of `inOrder` without a push.
    var failedAt: Int? {
        guard case .inOrder(let filters) = expectation.subject, matching.count < filters.count else { return nil }
        return matching.count
    }

    /// The filter that needs more pushes, with the expectation's scope.
    private var wanted: Filter { wanting.and(expectation.scopeFilter) }

    private var wanting: Filter {
        switch expectation.subject {
        case .matching(let filter, _): filter
        case .inOrder(let filters): matching.count < filters.count ? filters[matching.count] : Filter()
        }
    }

    /// The wanted filter without its scope, for pushes of any scope.
    private var anywhere: Filter { Filter(wanting.conditions.filter { $0.field != .key(.scope) }) }

    /// The sequence number before the first of ``candidates``.
    private var firstCandidate: UInt64 {
        let lastStep = failedAt == nil ? nil : matching.last?.entry.sequence
        return max(expectation.after, lastStep ?? 0)
    }

    /// The pushes that could be the missing one: for `inOrder`, those after the last matching step.
    private var candidates: ArraySlice<PushView> { views(after: firstCandidate) }

    private func views(after sequence: UInt64) -> ArraySlice<PushView> {
        views[views.firstIndexInOrder { $0.entry.sequence > sequence }...]
    }

    /// The pushes that nearly match, without pushes of other scopes, which belong to other tests.
    private func nearest() async throws(CancellationError) -> [NearMiss] {
        let scope = expectation.onlyScope
        let own = candidates.reversed().lazy.filter { view in
            (scope == nil || view.scope == nil || view.scope == scope)
                && !Finding.has(view.entry.sequence, in: matching)
        }
        return try await NearMiss.nearest(to: wanted, among: own.prefix(searchedMax).reversed())
    }
}

extension Finding {
    /// What says what became of a push.
    private static let outcomePointers =
        FilterKey.allCases.filter(\.isOfOutcome).map { FilterField.key($0).pointer } + ["/screen"]

    /// The likely causes of an unmet expectation, a sentence each (`Documents#Expectations`); for a met one, why it may
    /// have been unmet.
    fileprivate func hints(isMet: Bool, _ nearest: [NearMiss], evictedThrough: UInt64) async throws(CancellationError)
        -> [String]
    {
        let isEvicted = evictedThrough > expectation.after
        if isMet {
            guard isEvicted, count?.most != nil else { return [] }
            return ["pushes up to \(evictedThrough) were evicted, so more may have matched than are seen"]
        }
        if let max = count?.most, isExceeded {
            let first = matching[max].entry.sequence
            let pushes = matching.count == 1 ? "1 push matches" : "\(matching.count) pushes match"
            return ["\(pushes), more than the \(max) expected; \(first) is the first excess one"]
        }
        let evicted = isEvicted ? "pushes up to \(evictedThrough) were evicted; a larger --retain keeps more" : nil
        var hints = [try await tooEarly(), try await outOfOrder(), evicted, try await ofAnotherScope()]
        hints += nearest.sorted { $0.sequence < $1.sequence }.map { cause(of: $0, $0.view) }
        let known = hints.compactMap(\.self)
        return known.isEmpty && nearest.isEmpty ? [noPushes].compactMap(\.self) : known
    }

    private var count: ExpectedCount? {
        guard case .matching(_, let count) = expectation.subject else { return nil }
        return count
    }

    /// A push that is wanted arrived before `after`.
    private func tooEarly() async throws(CancellationError) -> String? {
        let wanted = wanted
        let before = views[..<views.firstIndexInOrder { $0.entry.sequence > expectation.after }]
        let early = try await TaskPacer.filter(before) { wanted.matches($0) }
        guard let last = early.last else { return nil }
        let count = early.count < searchedMax ? "\(early.count)" : "at least \(early.count)"
        return "\(count) matched before after=\(expectation.after), the last of them \(last.entry.sequence)"
    }

    /// The push for the missing step arrived before the push for the step before it.
    private func outOfOrder() async throws(CancellationError) -> String? {
        guard let failedAt, failedAt > 0, let last = matching.last else { return nil }
        let wanted = wanted
        let before = views(after: expectation.after).prefix { $0.entry.sequence < last.entry.sequence }
        let others = try await TaskPacer.filter(before.suffix(searchedMax)) { wanted.matches($0) }
        guard let other = others.last else { return nil }
        let early = other.entry.sequence
        let late = last.entry.sequence
        return "\(early) matches step \(failedAt) but came before \(late), step \(failedAt - 1)"
    }

    private func ofAnotherScope() async throws(CancellationError) -> String? {
        guard let scope = expectation.onlyScope else { return nil }
        let anywhere = anywhere
        let others = try await TaskPacer.filter(candidates.suffix(searchedMax)) {
            $0.scope != scope && anywhere.matches($0)
        }
        guard let view = others.first else { return nil }
        guard !view.isBroadcast else {
            return "\(view.entry.sequence) matches, but a broadcast is of no scope: expect it without scope \(scope)"
        }
        let other = view.scope.map { "of scope \($0)" } ?? "of no scope"
        return "\(view.entry.sequence) matches, but its token is \(other), not \(scope)"
    }

    private var noPushes: String? {
        let scope = expectation.onlyScope
        guard !candidates.contains(where: { scope == nil || $0.scope == scope }) else { return nil }
        let place = expectation.after > 0 ? " after \(expectation.after)" : ""
        return "no push\(scope.map { " of scope \($0)" } ?? "") has arrived\(place)"
    }

    /// What became of a push, if that is why it does not match.
    private func cause(of miss: NearMiss, _ view: PushView) -> String? {
        let sequence = view.entry.sequence
        switch view.entry.outcome {
        case .refused:
            let reason = view.entry.reason?.rawValue ?? view.entry.status.map { "status \($0)" } ?? "no reason"
            return "\(sequence) was refused with \(reason)" + (view.entry.detail.map { ": \($0)" } ?? "")
        case .pending: return "\(sequence) is still pending"
        case .delivered:
            guard miss.differs(in: ["/shown", "/screen"]),
                let event = view.entry.timeline?.last(where: { ["shown", "notShown"].contains($0.event) })
            else { return nil }
            return event.event == "notShown" ? "\(sequence) was delivered, and \(event.detail ?? "not shown")" : nil
        case .stored, .deferred, .coalesced, .discarded, .expired, .lost, .unanswered:
            guard miss.differs(in: Finding.outcomePointers) else { return nil }
            let words =
                switch view.entry.outcome {
                case .stored, .deferred: "is \(view.entry.outcome.rawValue)"
                case .unanswered: "was never answered"
                default: "was \(view.entry.outcome.rawValue)"
                }
            let detail = view.entry.timeline?.last?.detail ?? view.entry.detail
            return "\(sequence) \(words)" + (detail.map { ": \($0)" } ?? "")
        }
    }
}
