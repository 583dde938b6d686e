package import APNsRules
package import MynahCore

/// The answers of one loop since the start, counted without a lock; a reset of the journal does not change them.
package struct AnswerCounts: Sendable, Equatable {
    package struct Answer: Hashable, Sendable {
        /// The status; `nil` if there was no answer.
        package let status: Int?
        package let reason: Reason?
    }

    // Apart, because nearly every push is counted by these two.
    private var accepted: UInt64 = 0
    private var delivered: UInt64 = 0
    private var otherAnswers: [Answer: UInt64] = [:]
    private var otherOutcomes: [Outcome: UInt64] = [:]
    package init() {}

    /// Counts a push by its answer and its outcome so far.
    mutating func count(_ entry: borrowing Entry) {
        count(entry.status.map { Int($0) }, entry.reason)
        count(entry.outcome)
    }

    mutating func count(_ answer: LateAnswer) {
        count(answer.status, answer.refusal?.reason ?? answer.reason?.known)
        if let outcome = answer.outcome { count(outcome) }
    }

    private mutating func count(_ status: Int?, _ reason: Reason?) {
        if status == 200, reason == nil {
            accepted += 1
        } else {
            otherAnswers[Answer(status: status, reason: reason), default: 0] += 1
        }
    }

    mutating func count(_ outcome: Outcome) {
        if outcome == .delivered { delivered += 1 } else { otherOutcomes[outcome, default: 0] += 1 }
    }

    package mutating func add(_ other: AnswerCounts) {
        accepted += other.accepted
        delivered += other.delivered
        otherAnswers.merge(other.otherAnswers) { $0 + $1 }
        otherOutcomes.merge(other.otherOutcomes) { $0 + $1 }
    }

    /// The number of each answer, acceptance first, then by status and reason.
    package var answers: [(answer: Answer, count: UInt64)] {
        let others = otherAnswers.sorted {
            ($0.key.status ?? 0, $0.key.reason?.rawValue ?? "") < ($1.key.status ?? 0, $1.key.reason?.rawValue ?? "")
        }
        return [(Answer(status: 200, reason: nil), accepted)] + others.map { ($0.key, $0.value) }
    }

    package func count(of outcome: Outcome) -> UInt64 {
        outcome == .delivered ? delivered : otherOutcomes[outcome] ?? 0
    }
}
