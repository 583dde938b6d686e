/// The streams that a connection may have open, before and after its first accepted push (`--stream-limits`).
public struct ConnectionStreamLimits: Hashable, Sendable {
    /// Until the first accepted push, and after a rejected credential.
    public var beforeTrust: Int
    /// After the first accepted push.
    public var trusted: Int

    /// Two limits, at least 1 each.
    public init(beforeTrust: Int = Limits.streamsBeforeTrust, trusted: Int = Limits.streamsMax) {
        self.beforeTrust = beforeTrust
        self.trusted = trusted
    }
}

/// Decides SETTINGS_MAX_CONCURRENT_STREAMS of one connection (`ProviderAPI#Stream-limits`): it rises with the first
/// accepted push, falls with a rejected credential, and stays with any other refusal.
package struct StreamLimitPolicy: Sendable {
    private let limits: ConnectionStreamLimits
    private var isTrusted: Bool

    /// The policy of a new connection; one with a client certificate starts trusted, because the handshake proved it.
    package init(_ limits: ConnectionStreamLimits, startsTrusted: Bool = false) {
        self.limits = limits
        self.isTrusted = startsTrusted
    }

    package var limit: Int { isTrusted ? limits.trusted : limits.beforeTrust }

    /// Whether the outcome of a push, `nil` if it was accepted, changes the limit.
    package func changes(after reason: Reason?) -> Bool {
        let isProved = reason == nil
        return isProved != isTrusted && (isProved || reason?.rejectsCredential == true)
    }

    /// Records the outcome of a push, `nil` if it was accepted; returns the limit to announce if it changes.
    package mutating func recordOutcome(_ reason: Reason?) -> Int? {
        guard changes(after: reason) else { return nil }
        isTrusted.toggle()
        return limit
    }
}
