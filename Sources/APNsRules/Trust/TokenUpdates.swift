/// The changes of provider token on one connection, or of one key (`ProviderAPI#Token-updates`).
///
/// A change less than 20 minutes after the last one is too early; ``Limits/providerTokenChangeGrace`` are allowed.
package struct TokenUpdates: Sendable {
    private var current: AuthorizationValue?
    private var lastChange: Instant?
    private var graceUsed = 0

    package init() {}

    /// Notes the use of a token; returns `false`, and keeps the previous token, if the change comes too early.
    package mutating func use(_ token: AuthorizationValue, at now: Instant) -> Bool {
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
///
/// Remembers the last used keys, at least half of ``keysMax``; a forgotten key starts over.
package struct KeyTokenUpdates: Sendable {
    /// The most keys that are remembered; with `--auth structural` any `kid` counts as a key.
    package static let keysMax = 8192

    // Two generations: a key in use moves to the young one; when that is half full, the old one is dropped.
    private var young: [String: TokenUpdates] = [:]
    private var old: [String: TokenUpdates] = [:]

    package init() {}
    package var count: Int { young.count + old.count }

    /// Notes the use of a key's token; returns `false`, and keeps the previous token, if the change comes too early.
    package mutating func use(_ token: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        if let isInTime = young[keyID]?.use(token, at: now) { return isInTime }
        var updates = old.removeValue(forKey: keyID) ?? TokenUpdates()
        defer { young[keyID] = updates }
        if young.count >= KeyTokenUpdates.keysMax / 2 {
            old = young
            young = [:]
        }
        return updates.use(token, at: now)
    }

    /// Forgets a key, so that its next token counts as its first.
    package mutating func forget(_ keyID: String) {
        young[keyID] = nil
        old[keyID] = nil
    }
}
