/// The first good token binds a connection to its team; later keys must be of that team, of the connection's
/// environment, and go with the first key, checked in this order (`ProviderAPI#Key-scopes`).
enum ConnectionBindingCheck {
    static func check(_ push: borrowing Candidate, trust: inout ConnectionTrust) throws(Refusal) {
        guard case .token(let identity) = push.credential.verdict else { return }
        if let team = trust.team, team != identity.team {
            throw Refusal(
                .invalidProviderToken,
                "iss is \(identity.team), but this connection belongs to \(team); another team needs another connection"
            )
        }
        guard identity.scope.environment.contains(push.environment) else {
            throw Refusal(
                .badEnvironmentKeyInToken,
                "the key \(identity.keyID) is for \(identity.scope.environment.rawValue) only, this connection is to "
                    + push.environment.rawValue)
        }
        // Nearly every push has the key of the push before it, which was found to fit.
        guard !trust.isCurrent(identity) else { return }
        if let first = trust.firstKey, let violation = violation(by: identity, after: first) {
            throw Refusal(.unrelatedKeyIDInToken, "\(violation); another key needs another connection")
        }
        trust.bind(to: identity)
    }

    /// Why a key may not follow a connection's first one, or `nil`.
    private static func violation(by identity: ProviderIdentity, after first: ProviderIdentity) -> String? {
        switch (first.scope.topics, identity.scope.topics) {
        case (nil, nil): nil
        case (nil, .some): "the key \(identity.keyID) is topic-specific, the first one was the team's \(first.keyID)"
        case (.some, nil):
            "the key \(identity.keyID) is the whole team's, the first one was topic-specific: \(first.keyID)"
        case (.some, .some):
            identity.keyID == first.keyID || identity.scope.relatedKeyID == first.keyID
                || first.scope.relatedKeyID == identity.keyID
                ? nil : "the key \(identity.keyID) is not related to \(first.keyID), the first one"
        }
    }
}
