/// What a connection remembers of the credentials it was shown: team, current token, changes, stream limit.
///
/// Owned by one connection; every rule about "on the same connection" reads and changes it
/// (`provider-api.md` §1.3, §5.3, §5.4).
package struct ConnectionTrust: Sendable {
    /// The team of the first good token, to which the connection is bound.
    package private(set) var team: String?
    /// The changes of provider token so far.
    package private(set) var updates = TokenUpdates()
    /// Whether the last judged push left the connection trusted, which decides its stream limit.
    package private(set) var isTrusted = false

    /// A connection that has sent nothing yet.
    package init() {}

    /// Binds the connection to a team, unless it is bound already.
    package mutating func bind(to team: String) {
        if self.team == nil { self.team = team }
    }

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
    /// refusals (`provider-api.md`, decisions).
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

/// The changes of provider token on one connection, or of one key (`provider-api.md` §5.3).
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
