/// What a connection remembers of its credentials: the team, the keys, the current token and its changes, for the rules
/// about "the same connection" (`ProviderAPI#Token-updates`, `ProviderAPI#Key-scopes`).
package struct ConnectionTrust: Sendable {
    /// The team of the first valid token, to which the connection is bound.
    package private(set) var team: String?
    // The first token of each key, with the scope that the key had then, in the order of first use: nearly always one
    // key, at most `Limits.keysOfConnectionMax`.
    private var keys: [ProviderIdentity] = []
    // The index of the last push's key, so that most pushes look up nothing.
    private var current = 0
    private var updates = TokenUpdates()

    package init() {}
    package var firstKey: ProviderIdentity? { keys.first }

    /// Whether a token's key is the one bound last, with the same scope as then.
    package func isCurrent(_ identity: ProviderIdentity) -> Bool {
        keys.indices.contains(current) && keys[current].scope === identity.scope
            && keys[current].keyID == identity.keyID
    }

    /// Binds the connection to the team and key of a valid token, unless it is already bound.
    package mutating func bind(to identity: ProviderIdentity) {
        if team == nil { team = identity.team }
        if let index = keys.firstIndex(where: { $0.keyID == identity.keyID }) {
            current = index
        } else if keys.count < Limits.keysOfConnectionMax {
            current = keys.endIndex
            keys.append(identity)
        }
    }

    package func hasUsed(_ keyID: String) -> Bool { scope(of: keyID) != nil }
    /// The scope that a key had when the connection first used it.
    package func scope(of keyID: String) -> KeyScope? { keys.first { $0.keyID == keyID }?.scope }

    /// Records the use of a token; see ``TokenUpdates/recordUse(of:at:)``.
    package mutating func recordUse(of token: AuthorizationValue, at now: Instant) -> Bool {
        updates.recordUse(of: token, at: now)
    }
}
