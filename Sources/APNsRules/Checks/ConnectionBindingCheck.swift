/// One team per connection: the first good token binds it (`provider-api.md` §5.4).
enum ConnectionBindingCheck {
    static func refusal(of push: borrowing Candidate, trust: inout ConnectionTrust) -> Refusal? {
        guard case .token(let identity) = push.credential.verdict else { return nil }
        guard let team = trust.team else {
            trust.bind(to: identity.team)
            return nil
        }
        guard team != identity.team else { return nil }
        return Refusal(
            .invalidProviderToken,
            "iss is \(identity.team), but this connection belongs to \(team); another team needs another connection")
    }
}
