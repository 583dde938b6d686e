internal import APNsRules

extension Finding {
    /// The likely causes of an unmet expectation, a sentence each (`Documents#Expectations`); for a met one, what makes
    /// that uncertain.
    func hints(
        isMet: Bool, _ nearest: [NearMiss], evictedThrough: UInt64
    ) async throws(CancellationError) -> [String] {
        let isEvicted = evictedThrough > expectation.after
        if isMet {
            guard isEvicted, count?.max != nil else { return [] }
            return ["pushes up to \(evictedThrough) were evicted, so more may have matched than are seen"]
        }
        if isExceeded { return [excess].compactMap(\.self) }
        let evicted = isEvicted ? "pushes up to \(evictedThrough) were evicted; a larger --retain keeps more" : nil
        var hints = [try await tooEarly(), try await outOfOrder(), evicted, try await ofAnotherScope()]
        let suspects = Dictionary(nearest.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        hints += candidates.map { view in suspects[view.entry.sequence].flatMap { cause(of: $0, view) } }
        let known = hints.compactMap(\.self)
        return known.isEmpty && nearest.isEmpty ? [nothingThere].compactMap(\.self) : known
    }

    private var count: Expectation.Count? {
        guard case .matching(_, let count) = expectation.subject else { return nil }
        return count
    }

    private var excess: String? {
        guard let max = count?.max, matching.count > max else { return nil }
        let first = matching[max].entry.sequence
        return "\(matching.count) pushes match, more than the \(max) expected; the first too many is \(first)"
    }

    /// A push that is wanted arrived before `after`.
    private func tooEarly() async throws(CancellationError) -> String? {
        let wanted = wanting.and(expectation.scopeFilter)
        let early = try await TaskPacer.filter(views) { $0.entry.sequence <= expectation.after && wanted.matches($0) }
        guard let last = early.last else { return nil }
        return "\(early.count) matched before after=\(expectation.after), the last of them \(last.entry.sequence)"
    }

    /// The push for the missing step arrived before that of the step before.
    private func outOfOrder() async throws(CancellationError) -> String? {
        guard let failedAt, failedAt > 0, let last = matching.last else { return nil }
        let wanted = wanting.and(expectation.scopeFilter)
        let others = try await TaskPacer.filter(views) {
            $0.entry.sequence > expectation.after && $0.entry.sequence < last.entry.sequence && wanted.matches($0)
        }
        guard let other = others.last else { return nil }
        let (early, late) = (other.entry.sequence, last.entry.sequence)
        return "\(early) matches step \(failedAt) but came before \(late), step \(failedAt - 1)"
    }

    private func ofAnotherScope() async throws(CancellationError) -> String? {
        guard let scope = expectation.onlyScope else { return nil }
        let anywhere = Filter(wanting.conditions.filter { $0.field != .key(.scope) })
        let others = try await TaskPacer.filter(candidates) { $0.scope != scope && anywhere.matches($0) }
        guard let view = others.first else { return nil }
        let other = view.scope.map { "of scope \($0)" } ?? "of no scope"
        return "\(view.entry.sequence) matches, but its token is \(other), not \(scope)"
    }

    private var nothingThere: String? {
        let scope = expectation.onlyScope
        guard !candidates.contains(where: { scope == nil || $0.scope == scope }) else { return nil }
        let place = expectation.after > 0 ? " after \(expectation.after)" : ""
        return "no push\(scope.map { " of scope \($0)" } ?? "") has come\(place)"
    }

    /// What became of a push, if that is why it does not match.
    private func cause(of miss: NearMiss, _ view: PushView) -> String? {
        let sequence = view.entry.sequence
        switch view.entry.outcome {
        case .refused: return refusal(of: view)
        case .pending: return "\(sequence) is still pending"
        case .delivered:
            guard miss.differs(in: ["/shown", "/screen"]), let event = view.entry.timeline?.last else { return nil }
            return event.event == "notShown" ? "\(sequence) was delivered, and \(event.detail ?? "not shown")" : nil
        case .stored, .deferred, .coalesced, .discarded, .expired, .lost, .unanswered:
            guard miss.differs(in: ["/outcome", "/shown", "/screen", "/status", "/reason"]) else { return nil }
            let detail = view.entry.timeline?.last?.detail ?? view.entry.detail
            return "\(sequence) \(Finding.words(for: view.entry.outcome))" + (detail.map { ": \($0)" } ?? "")
        }
    }

    private static func words(for outcome: Outcome) -> String {
        switch outcome {
        case .stored: "is stored"
        case .deferred: "is deferred"
        case .unanswered: "was never answered"
        default: "was \(outcome.rawValue)"
        }
    }

    private func refusal(of view: PushView) -> String {
        let reason = view.entry.reason?.rawValue ?? view.entry.status.map { "status \($0)" } ?? "no reason"
        return "\(view.entry.sequence) was refused with \(reason)" + (view.entry.detail.map { ": \($0)" } ?? "")
    }
}
