/// A provider token changes at most every 20 minutes (`ProviderAPI#Token-updates`).
enum TokenUpdateCheck {
    static func check(
        _ push: borrowing Candidate, trust: inout ConnectionTrust, keyUpdates: (AuthorizationValue) -> Bool
    ) throws(Refusal) {
        // With a certificate, `authorization` is ignored.
        guard case .token = push.credential.verdict, let authorization = push.credential.authorization else { return }
        let isInTime =
            switch push.settings.tokenUpdates {
            case .connection: trust.recordUse(of: authorization, at: push.receivedAt)
            case .key: keyUpdates(authorization)
            }
        guard !isInTime else { return }
        throw Refusal(
            .tooManyProviderTokenUpdates,
            "the provider token changed again within \(Limits.providerTokenChangeInterval.wholeSeconds) s; "
                + "keep one for at least 20 minutes")
    }
}
