/// APNs' "no" to one request, with the sentence that the journal shows beside it.
public struct Refusal: Error, Equatable, Sendable {
    /// What the provider is told.
    public let reason: Reason
    /// What was wrong and what would be right; for people, never on the wire.
    public let detail: String
    /// When APNs learnt that the token is no longer good; with 410 only (`ProviderAPI#Responses`).
    public let timestamp: Instant?

    /// A refusal; `timestamp` belongs to `unregistered` and `expiredToken`.
    public init(_ reason: Reason, _ detail: String, timestamp: Instant? = nil) {
        self.reason = reason
        self.detail = detail
        self.timestamp = timestamp
    }
}
