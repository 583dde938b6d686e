/// The changes of provider token on one connection, or of one key (`ProviderAPI#Token-updates`).
///
/// A change less than 20 minutes after the last one is too early; ``Limits/providerTokenChangeGrace`` are allowed.
package struct TokenUpdates: Sendable {
    private var current: AuthorizationValue?
    private var lastChange: Instant?
    private var graceUsed = 0

    package init() {}

    /// Records the use of a token; returns `false`, and keeps the previous token, if the change comes too early.
    package mutating func recordUse(of token: AuthorizationValue, at now: Instant) -> Bool {
        guard let current else {
            self.current = token
            return true
        }
        if current === token || current.bytes == token.bytes { return true }
        if let lastChange, now.since(lastChange) < Limits.providerTokenChangeInterval {
            guard graceUsed < Limits.providerTokenChangeGrace else { return false }
            graceUsed += 1
        }
        self.current = token
        lastChange = now
        return true
    }
}

/// The changes of provider token of each key, across all connections.
package struct KeyTokenUpdates: Sendable {
    /// The most keys that are remembered; with `--auth structural` any `kid` counts as a key.
    ///
    /// A key that is forgotten starts over.
    package static let keysMax = 8192

    private var updates = RecentValues<String, TokenUpdates>(countMax: keysMax)

    package init() {}
    package var count: Int { updates.count }

    /// Records the use of a key's token; returns `false`, and keeps the previous token, if the change comes too early.
    package mutating func recordUse(of token: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        updates.change(keyID, orNew: TokenUpdates()) { $0.recordUse(of: token, at: now) }
    }

    /// Forgets a key, so that its next token counts as its first.
    package mutating func forget(_ keyID: String) { updates.remove(keyID) }
}
