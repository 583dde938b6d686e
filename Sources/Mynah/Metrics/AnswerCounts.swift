package import APNsRules
package import MynahCore

/// What one loop has answered since it began; a reset of the journal leaves it alone.
///
/// Counted without a lock by the loop that owns it; whoever wants all loops' asks each and adds up.
package struct AnswerCounts: Sendable, Equatable {
    /// What a push was told.
    package struct Answer: Hashable, Sendable {
        /// The status; `nil` where there was no answer.
        package let status: Int?
        /// The reason of a refusal.
        package let reason: Reason?
    }

    // The two that nearly every push is counted by stand alone: an addition each.
    private var accepted: UInt64 = 0
    private var delivered: UInt64 = 0
    private var otherAnswers: [Answer: UInt64] = [:]
    private var otherOutcomes: [Outcome: UInt64] = [:]

    /// Nothing yet.
    package init() {}

    /// Counts a push by what is about to be answered and what has become of it by now.
    mutating func count(_ entry: borrowing Entry) {
        if entry.status == 200, entry.reason == nil {
            accepted += 1
        } else {
            otherAnswers[Answer(status: entry.status.map { Int($0) }, reason: entry.reason), default: 0] += 1
        }
        count(entry.outcome)
    }

    /// Counts a push that was answered, or given up, after it was written down.
    mutating func count(_ answer: LateAnswer) {
        let reason = answer.refusal?.reason ?? answer.reason?.reason.known
        if answer.status == 200, reason == nil {
            accepted += 1
        } else {
            otherAnswers[Answer(status: answer.status, reason: reason), default: 0] += 1
        }
        if let outcome = answer.outcome { count(outcome) }
    }

    /// Counts what became of a push later.
    mutating func count(_ outcome: Outcome) {
        if outcome == .delivered {
            delivered += 1
        } else {
            otherOutcomes[outcome, default: 0] += 1
        }
    }

    /// Adds what another loop has counted.
    package mutating func add(_ other: AnswerCounts) {
        accepted += other.accepted
        delivered += other.delivered
        otherAnswers.merge(other.otherAnswers) { $0 + $1 }
        otherOutcomes.merge(other.otherOutcomes) { $0 + $1 }
    }

    /// How often each answer was given, acceptance first and then by status and reason.
    package var answers: [(answer: Answer, count: UInt64)] {
        let others = otherAnswers.sorted {
            ($0.key.status ?? 0, $0.key.reason?.rawValue ?? "") < ($1.key.status ?? 0, $1.key.reason?.rawValue ?? "")
        }
        return [(Answer(status: 200, reason: nil), accepted)] + others.map { ($0.key, $0.value) }
    }

    /// How many pushes came to an outcome.
    package func count(of outcome: Outcome) -> UInt64 {
        outcome == .delivered ? delivered : otherOutcomes[outcome] ?? 0
    }
}
