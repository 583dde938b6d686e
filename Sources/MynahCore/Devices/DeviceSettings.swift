/// The choices that `DeviceBehaviour` leaves, and bounds.
package struct DeviceSettings: Sendable, Equatable {
    /// What happens to a well-formed token that is not known (`ControlAPI#Unknown-devices`).
    package enum Policy: String, CaseIterable, Sendable {
        /// It becomes a device, for the topic and environment of its first accepted push.
        case open
        /// BadDeviceToken.
        case strict
    }

    /// `--devices`.
    package var policy = Policy.open
    /// `--unregister-delay`: how long after an app's removal APNs notices it and answers 410
    /// (`ProviderAPI#Storage-and-throttling`); drawn from the seed where it is a range.
    ///
    /// Real APNs takes days, which is no default for tests.
    package var unregisterDelay: ClosedRange<Duration> = .zero ... .zero
    /// How many background pushes an app gets within an hour, 3 as Apple has it; `nil`: any number
    /// (`DeviceBehaviour#From-APNs-to-the-device`).
    package var backgroundBudget: Int?
    /// How long power may hold back a push with priority 5; `nil`: until power allows (inferred).
    package var deferralMax: Duration?
    /// Bytes of the tokens that are issued (`ProviderAPI#Storage-and-throttling`).
    package var issuedTokenByteCount = 32
    /// Whether magic tokens answer for themselves (`--magic-tokens`), so that no app can have one.
    package var hasMagicTokens = false
    /// Pushes that a device's inbox keeps; older ones go and are counted.
    package var inboxCountMax = 1000

    /// APNs as observed; no budget.
    package init() {}

    /// Apple's figure for ``backgroundBudget``: "two or three an hour" (`ProviderAPI#Storage-and-throttling`).
    package static let usualBackgroundBudget = 3
    /// The time for which ``backgroundBudget`` counts.
    package static let backgroundBudgetWindow: Duration = .seconds(3600)
    /// Registrations of one device, ended ones included, since their tokens answer 410 for ever.
    package static let registrationCountMax = 1000
    /// Devices that one call makes.
    package static let fleetCountMax = 1_000_000
    /// Bytes of a device's id.
    package static let idBytesMax = 128
    /// Bytes of a name, a model, a version.
    package static let textBytesMax = 256
}
