package import APNsRules

/// The choices that `DeviceBehaviour` leaves open, and limits.
package struct DeviceSettings: Sendable, Equatable {
    /// What happens to a push to a well-formed token that is unknown (`ControlAPI#Unknown-devices`).
    package enum Policy: String, CaseIterable, Sendable {
        /// The token becomes a device for the topic and environment of its first accepted push.
        case open
        /// 400 BadDeviceToken.
        case strict
    }

    /// `--devices`.
    package var policy = Policy.open
    /// `--unregister-delay`: how long after an app's removal APNs notices it and answers 410
    /// (`ProviderAPI#Storage-and-throttling`), which takes days in reality; drawn from the seed if it is a range.
    package var unregisterDelay: ClosedRange<Duration> = .zero ... .zero
    /// How many background pushes an app gets within an hour; `nil` for no limit
    /// (`DeviceBehaviour#From-APNs-to-the-device`).
    package var backgroundBudget: Int?
    /// How many pushes of priority 10 the Live Activities of an app get within an hour; `nil` for no limit
    /// (`DeviceBehaviour#Live-Activities`).
    package var activityBudget: Int?
    /// How long power may hold back a push with priority 5; `nil` until power improves (inferred).
    package var deferralMax: Duration?
    /// The size of issued tokens (`ProviderAPI#Storage-and-throttling`).
    package var issuedTokenByteCount = 32
    /// Tokens that no app can have: the magic tokens, unless they are off (`--magic-tokens`).
    package var reservedTokens: Set<DeviceToken> = []
    /// The Web Push service of subscriptions; `nil` where no app is a web app.
    package var webPush: WebPushService?
    /// How many pushes an inbox keeps; older ones are dropped and counted.
    package var inboxCountMax = 1000
    /// `--request-limit`: how many pushes one device token takes within a time; `nil` for no limit.
    package var requestLimit: RateLimit?
    package init() {}
    package static let budgetWindow: Duration = .seconds(3600)
    /// The most registrations of one device, including ended ones, whose tokens answer 410 for ever.
    package static let registrationCountMax = 1000
    package static let fleetCountMax = 1_000_000
}
