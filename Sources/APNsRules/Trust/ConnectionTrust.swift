/// What a connection remembers of the credentials it was shown: team, keys, current token, changes, stream limit.
///
/// Owned by one connection; every rule about "on the same connection" reads and changes it
/// (`ProviderAPI#Stream-limits`, `ProviderAPI#Token-updates`, `ProviderAPI#Key-scopes`).
package struct ConnectionTrust: Sendable {
    /// A key that the connection has used, as it was at its first push there.
    package struct BoundKey: Sendable {
        /// The key's id.
        package let keyID: String
        /// Its scope then.
        package let scope: KeyScope
    }

    /// The team of the first good token, to which the connection is bound.
    package private(set) var team: String?
    // In the order of first use: one key nearly always, at most `Limits.keysOfConnectionMax`.
    private var keys: [BoundKey] = []
    // The key of the push before, so that most pushes look up nothing.
    private var current = 0
    /// The changes of provider token so far.
    package private(set) var updates = TokenUpdates()
    /// Whether the last judged push left the connection trusted, which decides its stream limit.
    package private(set) var isTrusted: Bool

    /// A connection that has sent nothing yet.
    ///
    /// One with a client certificate starts trusted: the handshake has proved it (`ProviderAPI#Stream-limits`).
    package init(startsTrusted: Bool = false) {
        isTrusted = startsTrusted
    }

    /// The key of the first good token, to whose kind and relation the connection is bound; `nil` before it.
    package var firstKey: BoundKey? { keys.first }

    /// Whether a token is of the key that was bound last, and that key is for the same as it was then.
    package func isCurrent(_ identity: ProviderIdentity) -> Bool {
        keys.indices.contains(current) && keys[current].scope === identity.scope
            && keys[current].keyID == identity.keyID
    }

    /// Binds the connection to the team and key of a good token, unless it is bound already, and remembers the key
    /// as it is now.
    package mutating func bind(to identity: ProviderIdentity) {
        if team == nil { team = identity.team }
        if let index = keys.firstIndex(where: { $0.keyID == identity.keyID }) {
            current = index
        } else if keys.count < Limits.keysOfConnectionMax {
            current = keys.endIndex
            keys.append(BoundKey(keyID: identity.keyID, scope: identity.scope))
        }
    }

    /// Whether a token of this key was good on this connection.
    package func hasUsed(_ keyID: String) -> Bool { scope(of: keyID) != nil }

    /// The scope of a key when the connection first used it; `nil` for one that it has not used.
    package func scope(of keyID: String) -> KeyScope? { keys.first { $0.keyID == keyID }?.scope }

    /// Notes a token by its bytes; see ``TokenUpdates/use(_:at:)``.
    package mutating func useToken(_ token: AuthorizationValue, at now: Instant) -> Bool {
        updates.use(token, at: now)
    }

    /// What the outcome of a push does to the connection's stream limit.
    package enum OnOutcome: Sendable, Equatable {
        /// To that of a trusted connection.
        case raiseStreamLimit
        /// Back to that of a connection that has proved nothing.
        case lowerStreamLimit
        /// It stays.
        case nothing
    }

    /// Notes the outcome of a push, a refusal's reason or `nil`.
    ///
    /// The limit goes up with the first accepted push, down with a rejected credential, and not with other
    /// refusals (`ProviderAPI#Stream-limits`).
    package mutating func note(_ reason: Reason?) -> OnOutcome {
        switch reason {
        case nil where !isTrusted:
            isTrusted = true
            return .raiseStreamLimit
        case .some(let reason) where reason.rejectsCredential && isTrusted:
            isTrusted = false
            return .lowerStreamLimit
        default:
            return .nothing
        }
    }
}

/// The changes of provider token on one connection, or of one key (`ProviderAPI#Token-updates`).
///
/// A different token, by its bytes, less than 20 minutes after the previous change is one change too many,
/// save for ``Limits/providerTokenChangeGrace``; the first token is no change.
package struct TokenUpdates: Sendable {
    private var current: AuthorizationValue?
    private var lastChange: Instant?
    private var graceUsed = 0

    /// No token yet.
    package init() {}

    /// Notes that a token is used now; `false` when it is a change that comes too early, which is then
    /// not made.
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
