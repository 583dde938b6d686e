/// A provider token may change every 20 minutes (`ProviderAPI#Token-updates`).
enum TokenUpdateCheck {
    static func refusal(
        of push: borrowing Candidate, trust: inout ConnectionTrust, keyUpdates: (AuthorizationValue) -> Bool
    ) -> Refusal? {
        // With a certificate, `authorization` counts for nothing.
        guard case .token = push.credential.verdict, let authorization = push.credential.authorization else {
            return nil
        }
        let isInTime =
            switch push.settings.tokenUpdates {
            case .connection: trust.useToken(authorization, at: push.receivedAt)
            case .key: keyUpdates(authorization)
            }
        guard !isInTime else { return nil }
        return Refusal(
            .tooManyProviderTokenUpdates,
            "the provider token changed again within \(Limits.providerTokenChangeInterval.wholeSeconds) s; "
                + "keep one for at least 20 minutes")
    }
}
