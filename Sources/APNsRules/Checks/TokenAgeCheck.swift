/// A provider token is at most an hour old, and at most an hour ahead of the clock
/// (`provider-api.md` §5.2 and decisions).
enum TokenAgeCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard case .token(let identity) = push.credential.verdict else { return nil }
        let age = push.receivedAt.since(identity.issuedAt)
        // In whole seconds, as `iat` counts them: exactly 3,600 s is still good.
        if age.wholeSeconds > Limits.providerTokenAgeMax.wholeSeconds {
            return Refusal(
                .expiredProviderToken,
                "iat is \(age.wholeSeconds) s ago; at most \(Limits.providerTokenAgeMax.wholeSeconds) s are good")
        }
        if age < .zero - Limits.providerTokenSkewMax {
            return Refusal(
                .invalidProviderToken,
                "iat is \(-age.wholeSeconds) s in the future; "
                    + "at most \(Limits.providerTokenSkewMax.wholeSeconds) s are good")
        }
        return nil
    }
}

extension Duration {
    /// Whole seconds, cut towards zero.
    package var wholeSeconds: Int64 { components.seconds }
}
