internal import MynahCore

/// What became of a push: exactly one at a time (`Documents#Pushes`).
public enum PushOutcome: String, CaseIterable, Sendable {
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
    public var isFinal: Bool { Outcome.allCases.contains { $0.isFinal && PushOutcome($0) == self } }

    init(_ outcome: Outcome) {
        switch outcome {
        case .pending: self = .pending
        case .stored: self = .stored
        case .deferred: self = .deferred
        case .delivered: self = .delivered
        case .coalesced: self = .coalesced
        case .discarded: self = .discarded
        case .expired: self = .expired
        case .refused: self = .refused
        case .lost: self = .lost
        case .unanswered: self = .unanswered
        }
    }
}
