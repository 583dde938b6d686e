/// A provider token is at most an hour old, and at most an hour ahead of the clock (`ProviderAPI#Token-age`).
enum TokenAgeCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard case .token(let identity) = push.credential.verdict,
            !identity.validity.contains(push.receivedAt)
        else { return }
        let refusal = refusal(ofAge: push.receivedAt.since(identity.issuedAt))
        let lead = push.clockLead
        // A clock that a test has moved is the usual cause, and the provider can't see it.
        guard lead != .zero, identity.validity.contains(push.receivedAt.advanced(by: .zero - lead)) else {
            throw refusal
        }
        let distance = "\(abs(lead.wholeSeconds)) s \(lead > .zero ? "ahead of" : "behind") the system's"
        throw Refusal(
            refusal.reason,
            "\(refusal.detail); the server's clock is \(distance), by which the token would be valid: "
                + "sign by the server's clock, or move only a scope's clock")
    }

    private static func refusal(ofAge age: Duration) -> Refusal {
        guard age < .zero else {
            return Refusal(
                .expiredProviderToken,
                "iat is \(age.wholeSeconds) s ago; at most \(Limits.providerTokenAgeMax.wholeSeconds) s are allowed")
        }
        return Refusal(
            .invalidProviderToken,
            "iat is \(-age.wholeSeconds) s in the future; "
                + "at most \(Limits.providerTokenSkewMax.wholeSeconds) s are allowed")
    }
}

extension Duration {
    /// Whole seconds, cut towards zero.
    package var wholeSeconds: Int64 { components.seconds }
}
