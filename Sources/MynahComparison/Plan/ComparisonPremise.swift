package import APNsRules

/// What whoever compares has, and what is known of the other service.
package struct ComparisonPremise: Sendable {
    /// The bundle id of an app of the credential, in place of the cases'.
    package var bundleID: String
    /// Whether there is a key to sign provider tokens with.
    package var hasKey: Bool
    /// The topics of the client certificate, the app's bundle id first; `nil` without one.
    package var certificateTopics: [String]?
    /// The environment of the other service.
    package var environment: APNsEnvironment
    /// Whether the app has the broadcast capability.
    package var hasBroadcasts: Bool
    /// The token of the user's own device, which then gets the pushes that are accepted; `nil` for no device.
    package var deviceToken: String?

    package init(
        bundleID: String, hasKey: Bool, certificateTopics: [String]? = nil, environment: APNsEnvironment = .sandbox,
        hasBroadcasts: Bool = false, deviceToken: String? = nil
    ) {
        self.bundleID = bundleID
        self.hasKey = hasKey
        self.certificateTopics = certificateTopics
        self.environment = environment
        self.hasBroadcasts = hasBroadcasts
        self.deviceToken = deviceToken
    }

    /// A text of a case with the user's app in place of the case's.
    func owned(_ text: String) -> String { text.replacing(FixtureRequest.defaultApp, with: bundleID) }
}
