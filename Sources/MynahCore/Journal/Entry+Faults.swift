package import APNsRules

/// An answer to a push after it was written to the journal, or the fact that there will be none
/// (`ControlAPI#Guarantees`, 1).
package struct LateAnswer: Sendable {
    package let at: Instant
    /// `nil` if nothing was answered.
    package let status: Int?
    /// Why APNs' rules refused it.
    package let refusal: Refusal?
    /// The reason that a fault answered.
    package let reason: AnsweredReason?
    /// `nil` if the device, which has the push already, decides it.
    package let outcome: Outcome?
    /// What the device decided just now.
    package let decision: Decision?

    package init(
        at: Instant, status: Int?, refusal: Refusal? = nil, reason: AnsweredReason? = nil, outcome: Outcome?,
        decision: Decision? = nil
    ) {
        self.at = at
        self.status = status
        self.refusal = refusal
        self.reason = reason
        self.outcome = outcome
        self.decision = decision
    }
}

/// A reason that a fault answered, with its timestamp.
package struct AnsweredReason: Sendable, Equatable {
    package let reason: FaultReason
    /// The timestamp of a 410.
    package let timestamp: Instant?
}

extension FaultResponse {
    /// The reason that this answers at a moment.
    package func answeredReason(at now: Instant) -> AnsweredReason? {
        guard case .reason(let reason, let timestamp) = body else { return nil }
        return AnsweredReason(reason: reason, timestamp: timestamp ?? (status == 410 ? now : nil))
    }
}

extension Entry {
    /// Notes which rule acted on the push, and how.
    package mutating func note(_ firing: FaultFiring, at time: Instant) {
        fault = firing.ruleID
        timeline = [
            TimelineEvent(at: receivedAt, event: "received"),
            TimelineEvent(at: time, event: "fault", detail: "\(firing.ruleID): \(firing.action.type.rawValue)"),
        ]
        guard outcome != .pending else { return }
        let step = TimelineEvent(at: time, event: outcome.rawValue, detail: detail)
        timeline?.append(step)
    }

    /// Notes the reason that a fault answered.
    package mutating func note(_ answered: AnsweredReason) {
        reason = answered.reason.known
        timestamp = answered.timestamp
        oddReason = reason == nil ? answered.reason.text : nil
    }

    /// Notes an answer that was sent or given up after the push was written to the journal.
    package mutating func note(_ answer: LateAnswer) {
        status = answer.status.map(Int16.init)
        if let refusal = answer.refusal { note(refusal) }
        if let reason = answer.reason { note(reason) }
        guard outcome == .pending, let outcome = answer.outcome else { return }
        self.outcome = outcome
        if let decision = answer.decision {
            label = decision.label
            detail = decision.detail
        }
        let step = TimelineEvent(at: answer.at, event: outcome.rawValue, detail: detail)
        timeline?.append(step)
        if let shown = answer.decision?.shown { noteLater(shown) }
    }
}
