/// The outcome of a push: exactly one at a time (`Documents#Outcomes`).
public enum Outcome: String, CaseIterable, Sendable {
    /// Not answered yet.
    case pending
    /// Kept for a device that is offline.
    case stored
    /// Held back by the device's state, a budget or a fault.
    case deferred
    /// Delivered to the device.
    case delivered
    /// A newer push with its collapse id replaced it in storage.
    case coalesced
    /// A newer push for the app replaced it, or the app could not receive it.
    case discarded
    /// Expired before it could be delivered.
    case expired
    /// Answered with another status than 200.
    case refused
    /// Accepted and dropped by a fault.
    case lost
    /// Neither answered nor delivered.
    case unanswered

    /// Whether the outcome can't change any more.
    public var isFinal: Bool {
        switch self {
        case .pending, .stored, .deferred: false
        default: true
        }
    }
}

extension Outcome: ByteCodable {}
