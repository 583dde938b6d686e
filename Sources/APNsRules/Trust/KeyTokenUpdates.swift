/// The changes of provider token of each key, over all connections.
///
/// Remembers the keys that were used last, at least half of ``keysMax``; a forgotten key starts over.
package struct KeyTokenUpdates: Sendable {
    /// The most keys that are remembered, since with `--auth structural` any `kid` counts as a key.
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
