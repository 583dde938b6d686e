/// One of Apple's two services; a device token is good in one of them only (`ProviderAPI#Hosts-and-ports`,
/// `ProviderAPI#Device-tokens`).
public enum APNsEnvironment: String, CaseIterable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps built with a development profile.
    case sandbox
    /// `api.push.apple.com`.
    case production

    /// The environment that a host name of Apple's leads to, or `nil` for any other name.
    ///
    /// The older development name and the broadcast names count (`ProviderAPI#Hosts-and-ports`). Case does not matter.
    public init?(serverName: some StringProtocol) {
        switch serverName.lowercased() {
        case "api.push.apple.com", "api-broadcast.push.apple.com", "api-manage-broadcast.push.apple.com":
            self = .production
        case "api.sandbox.push.apple.com", "api.development.push.apple.com",
            "api-broadcast.sandbox.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com":
            self = .sandbox
        default:
            return nil
        }
    }
}
