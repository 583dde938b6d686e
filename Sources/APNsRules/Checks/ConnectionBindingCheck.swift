/// One team per connection, keys of its environment, and beside the first key only those that go with it: the
/// first good token binds it (`ProviderAPI#Key-scopes`).
///
/// Of several faults the first of team, environment, relation decides, as in the order of checks.
enum ConnectionBindingCheck {
    static func refusal(of push: borrowing Candidate, trust: inout ConnectionTrust) -> Refusal? {
        guard case .token(let identity) = push.credential.verdict else { return nil }
        if let team = trust.team, team != identity.team {
            return Refusal(
                .invalidProviderToken,
                "iss is \(identity.team), but this connection belongs to \(team); another team needs another connection"
            )
        }
        guard identity.scope.environment.contains(push.environment) else {
            return Refusal(
                .badEnvironmentKeyInToken,
                "the key \(identity.keyID) is for \(identity.scope.environment.rawValue) only, this connection is to "
                    + push.environment.rawValue)
        }
        // A connection's pushes nearly always have the key of the push before, which was found to fit.
        guard !trust.isCurrent(identity) else { return nil }
        if let first = trust.firstKey, let fault = fault(of: identity, after: first) {
            return Refusal(.unrelatedKeyIDInToken, "\(fault); another key needs another connection")
        }
        trust.bind(to: identity)
        return nil
    }

    /// Why a key may not follow a connection's first one, or `nil`.
    private static func fault(of identity: ProviderIdentity, after first: ConnectionTrust.BoundKey) -> String? {
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
