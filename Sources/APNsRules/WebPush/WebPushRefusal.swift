/// How a rule of Apple's service is known (`WebPush#Evidence`).
package enum Evidence: String, CaseIterable, Sendable {
    /// Apple, WebKit or a standard that Apple names says so.
    case documented
    /// Somebody has published what Apple answered.
    case observed
    /// Nobody has seen it; it follows from the others.
    case inferred
}

/// One rule of Apple's Web Push service that a request breaks.
package struct WebPushRefusal: Hashable, Sendable {
    package let reason: Reason
    /// What is wrong and what was expected, without a period; never sent to the provider.
    package let cause: String
    /// How it is known that Apple refuses this.
    package let evidence: Evidence

    package init(_ reason: Reason, _ cause: String, _ evidence: Evidence) {
        self.reason = reason
        self.cause = cause
        self.evidence = evidence
    }

    /// The refusal as the journal keeps it.
    package var refusal: Refusal {
        Refusal(reason, evidence == .inferred ? "\(cause) (inferred: nobody has seen Apple's answer)" : cause)
    }
}
