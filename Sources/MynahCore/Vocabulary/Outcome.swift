/// The outcome of a push, exactly one at a time (`Documents#Pushes`).
public enum Outcome: String, CaseIterable, Sendable {
    /// No answer yet.
    case pending
    /// Kept for a device that is offline.
    case stored
    /// Held back by power or budget.
    case deferred
    /// Delivered to the device.
    case delivered
    /// Replaced in storage by a newer one with the same collapse id.
    case coalesced
    /// Replaced in storage by a newer one for the app, or lost by a force-quit app.
    case discarded
    /// Expired before the device came online.
    case expired
    /// Answered other than 200.
    case refused
    /// Accepted and dropped by a fault.
    case lost
    /// Neither answered nor delivered.
    case unanswered

    /// Whether it can't change any more.
    public var isFinal: Bool {
        switch self {
        case .pending, .stored, .deferred: false
        default: true
        }
    }
}
