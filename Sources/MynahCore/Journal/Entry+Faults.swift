package import APNsRules

/// The answer to a push that came later than its request, or never (`ControlAPI#Guarantees`, 1).
package struct LateAnswer: Sendable {
    /// When.
    package let at: Instant
    /// The status; `nil` when nothing was answered.
    package let status: Int?
    /// Why it was refused, where APNs' rules refused it.
    package let refusal: Refusal?
    /// The reason that a fault answered.
    package let reason: AnsweredReason?
    /// What became of it; `nil` leaves that to the device, which has the push already.
    package let outcome: Outcome?
    /// What the device decided, where it was asked just now.
    package let decision: Decision?

    /// An answer.
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
    /// The reason.
    package let reason: FaultReason
    /// The timestamp of a 410.
    package let timestamp: Instant?
}

extension FaultResponse {
    /// The reason that this answers at a moment, if it has one.
    package func answeredReason(at now: Instant) -> AnsweredReason? {
        guard case .reason(let reason, let timestamp) = body else { return nil }
        return AnsweredReason(reason: reason, timestamp: timestamp ?? (status == 410 ? now : nil))
    }
}

extension Entry {
    /// Notes which rule acted on the push, and by what.
    package mutating func note(_ firing: FaultFiring, at time: Instant) {
        fault = firing.ruleID
        timeline = [
            TimelineEvent(at: receivedAt, event: "received", detail: nil),
            TimelineEvent(at: time, event: "fault", detail: "\(firing.ruleID): \(firing.action.type.rawValue)"),
        ]
        guard outcome != .pending else { return }
        let event = TimelineEvent(at: time, event: outcome.rawValue, detail: detail)
        timeline?.append(event)
    }

    /// Notes the reason that a fault answered.
    package mutating func note(_ answered: AnsweredReason) {
        reason = answered.reason.known
        timestamp = answered.timestamp
        oddReason = reason == nil ? answered.reason.text : nil
    }

    /// Notes an answer that left, or was given up, after the push was written down.
    package mutating func note(_ answer: LateAnswer) {
        status = answer.status.map(Int16.init)
        if let refusal = answer.refusal {
            reason = refusal.reason
            timestamp = refusal.timestamp
            detail = refusal.detail
        }
        if let reason = answer.reason { note(reason) }
        guard outcome == .pending, let outcome = answer.outcome else { return }
        self.outcome = outcome
        if let decision = answer.decision {
            label = decision.label
            detail = decision.detail
        }
        let event = TimelineEvent(at: answer.at, event: outcome.rawValue, detail: detail)
        timeline?.append(event)
        if let shown = answer.decision?.shown { noteLater(shown) }
    }
}
