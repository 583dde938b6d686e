/// How a rule of Apple's service is known (`WebPush#Evidence`).
package enum Evidence: String, CaseIterable, Sendable {
    /// Apple, WebKit or a standard that Apple names says so.
    case documented
    /// A published answer of Apple's service.
    case observed
    /// Inferred from other rules; no answer of Apple's service is published.
    case inferred
}

/// A rule of Apple's Web Push service that a request breaks.
package struct WebPushRefusal: Hashable, Sendable {
    package let reason: Reason
    /// What is wrong and what was expected, without a period; never sent to the provider.
    package let cause: String
    /// How it is known that Apple refuses such a request.
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
