/// What became of a push: exactly one at a time (`Documents#Pushes`).
package enum Outcome: String, CaseIterable, Sendable {
    /// No answer yet.
    case pending
    /// Kept for a device that is offline.
    case stored
    /// Held back by power or budget.
    case deferred
    /// Given to the device.
    case delivered
    /// A newer one with its collapse id took its place in storage.
    case coalesced
    /// A newer one for the app took its place, or a force-quit app lost it.
    case discarded
    /// Its time was over before the device came.
    case expired
    /// Answered other than 200.
    case refused
    /// A fault accepted it and dropped it.
    case lost
    /// No reply ever left, and no device was given it.
    case unanswered

    /// Whether nothing can change it any more.
    package var isFinal: Bool {
        switch self {
        case .pending, .stored, .deferred: false
        default: true
        }
    }
}
