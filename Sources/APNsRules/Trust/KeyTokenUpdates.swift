/// The changes of provider token of every key, whichever connections they come on.
///
/// Remembers the keys that were used last, at least half of ``keysMax``. A key that was forgotten begins anew.
package struct KeyTokenUpdates: Sendable {
    /// The most keys that are remembered: with `--auth structural` every `kid` is one.
    package static let keysMax = 8192

    // Two generations: a key that is used moves to the young one; when that has half of all keys, the old one goes.
    private var young: [String: TokenUpdates] = [:]
    private var old: [String: TokenUpdates] = [:]

    /// Remembers no key.
    package init() {}

    /// How many keys are remembered.
    package var count: Int { young.count + old.count }

    /// Notes that a token of a key is used now; `false` if it is a change that comes too early, which is then not made.
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

    /// Forgets a key, whose next token is its first again.
    package mutating func forget(_ keyID: String) {
        young[keyID] = nil
        old[keyID] = nil
    }
}
