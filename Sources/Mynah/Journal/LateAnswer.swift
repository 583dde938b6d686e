internal import APNsRules
internal import MynahCore

/// An answer to a push after it was written to the journal, or the fact that there will be none
/// (`ControlAPI#Guarantees`, 1).
struct LateAnswer: Sendable {
    let at: Instant
    /// `nil` if nothing was answered.
    let status: Int?
    /// Why APNs' rules refused it.
    var refusal: Refusal?
    /// The reason that a fault answered.
    var reason: AnsweredReason?
    /// `nil` if the device, which has the push already, decides it.
    let outcome: Outcome?
    /// What the device decided just now.
    var decision: Decision?
}

extension Entry {
    mutating func note(_ answer: LateAnswer) {
        status = answer.status.map(Int16.init)
        if let refusal = answer.refusal { note(refusal) }
        if let reason = answer.reason { note(reason) }
        if let outcome = answer.outcome { note(outcome, answer.decision, at: answer.at) }
    }
}
