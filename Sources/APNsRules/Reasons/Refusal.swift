/// APNs' refusal of one request, with a sentence for the journal.
public struct Refusal: Error, Equatable, Sendable {
    /// The reason that is answered.
    public let reason: Reason
    /// What is wrong and what was expected; never on the wire.
    public let detail: String
    /// When APNs learnt that the token is no longer good; only with 410 (`ProviderAPI#Responses`).
    public let timestamp: Instant?

    /// A refusal; `timestamp` belongs to `unregistered` and `expiredToken`.
    public init(_ reason: Reason, _ detail: String, timestamp: Instant? = nil) {
        self.reason = reason
        self.detail = detail
        self.timestamp = timestamp
    }
}
