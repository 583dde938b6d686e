/// The first valid token binds a connection to its team (`ProviderAPI#Key-scopes`).
///
/// Checks each key's team, then its environment, then whether it may follow the connection's first key.
enum ConnectionBindingCheck {
    static func check(_ push: borrowing Candidate, trust: inout ConnectionTrust) throws(Refusal) {
        guard case .token(let identity) = push.credential.verdict else { return }
        if let team = trust.team, team != identity.team {
            throw Refusal(
                .invalidProviderToken,
                "iss is \(identity.team), but this connection belongs to \(team); use another connection for it")
        }
        guard identity.scope.environment.contains(push.environment) else {
            throw Refusal(
                .badEnvironmentKeyInToken,
                "the key \(identity.keyID) is only for \(identity.scope.environment.rawValue), "
                    + "but this connection is to \(push.environment.rawValue)")
        }
        // Nearly every push has the same key as the previous one, which has passed this check.
        guard !trust.isCurrent(identity) else { return }
        if let first = trust.firstKey, let violation = violation(by: identity, after: first) {
            throw Refusal(.unrelatedKeyIDInToken, "\(violation); use another connection for it")
        }
        trust.bind(to: identity)
    }

    /// Why a key may not follow a connection's first one; `nil` if it may.
    private static func violation(by identity: ProviderIdentity, after first: ProviderIdentity) -> String? {
        switch (first.scope.topics, identity.scope.topics) {
        case (nil, nil): nil
        case (nil, .some):
            "the key \(identity.keyID) is topic-specific, but the first was the whole team's key \(first.keyID)"
        case (.some, nil):
            "the key \(identity.keyID) is the whole team's, but the first was the topic-specific key \(first.keyID)"
        case (.some, .some):
            identity.keyID == first.keyID || identity.scope.relatedKeyID == first.keyID
                || first.scope.relatedKeyID == identity.keyID
                ? nil : "the key \(identity.keyID) is not related to the first key \(first.keyID)"
        }
    }
}
