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
    /// The broadcasts among the pushes; the path of broadcasts counts them, so that a push to a device pays nothing.
    package internal(set) var broadcasts = BroadcastCounts()
    package init() {}

    /// Counts a push by its answer and its outcome so far.
    mutating func count(_ entry: borrowing Entry) {
        count(entry.status.map { Int($0) }, entry.reason)
        count(entry.outcome)
    }

    mutating func count(_ answer: LateAnswer) {
        count(answer.status, answer.refusal?.reason ?? answer.reason?.known)
        guard let outcome = answer.outcome else { return }
        count(outcome)
        if answer.isOfBroadcast { broadcasts.count(outcome, deviceCount: answer.deviceCount) }
    }

    /// Counts what became of a push later.
    mutating func count(_ change: EntryChange) {
        guard let broadcast = change.broadcast else { return count(change.outcome) }
        guard !broadcast.isFurther else { return broadcasts.countFurther(broadcast.deviceCount) }
        count(change.outcome)
        broadcasts.count(change.outcome, deviceCount: broadcast.deviceCount)
    }

    private mutating func count(_ status: Int?, _ reason: Reason?) {
        if status == 200, reason == nil {
            accepted += 1
        } else {
            otherAnswers[Answer(status: status, reason: reason), default: 0] += 1
        }
    }

    private mutating func count(_ outcome: Outcome) {
        if outcome == .delivered {
            delivered += 1
        } else if outcome != .pending {
            otherOutcomes[outcome, default: 0] += 1
        }
    }

    package mutating func add(_ other: AnswerCounts) {
        accepted += other.accepted
        delivered += other.delivered
        otherAnswers.merge(other.otherAnswers) { $0 + $1 }
        otherOutcomes.merge(other.otherOutcomes) { $0 + $1 }
        broadcasts.add(other.broadcasts)
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

/// The broadcasts since the start, by what became of them.
package struct BroadcastCounts: Sendable, Equatable {
    private var outcomes: [Outcome: UInt64] = [:]
    /// The devices whose Live Activities broadcasts have changed, each once for each broadcast.
    package private(set) var deliveries: UInt64 = 0

    mutating func count(_ outcome: Outcome, deviceCount: Int) {
        if outcome != .pending { outcomes[outcome, default: 0] += 1 }
        countFurther(deviceCount)
    }

    /// Counts further devices of a broadcast that is counted already.
    mutating func countFurther(_ deviceCount: Int) { deliveries += UInt64(deviceCount) }

    mutating func add(_ other: BroadcastCounts) {
        outcomes.merge(other.outcomes) { $0 + $1 }
        deliveries += other.deliveries
    }

    package func count(of outcome: Outcome) -> UInt64 { outcomes[outcome] ?? 0 }
}
