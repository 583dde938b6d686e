/// One of Apple's two services; a device token is good in one of them only (`ProviderAPI#Hosts-and-ports`,
/// `ProviderAPI#Device-tokens`).
public enum APNsEnvironment: String, CaseIterable, Sendable {
    case sandbox
    case production

    /// The environment that a host name of Apple's leads to, in any case, the older and the broadcast names included
    /// (`ProviderAPI#Hosts-and-ports`), or `nil` for any other name.
    public init?(serverName: some StringProtocol) {
        switch serverName.lowercased() {
        case "api.push.apple.com", "api-broadcast.push.apple.com", "api-manage-broadcast.push.apple.com":
            self = .production
        case "api.sandbox.push.apple.com", "api.development.push.apple.com",
            "api-broadcast.sandbox.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com":
            self = .sandbox
        default: return nil
        }
    }
}

/// The environments that a key or a certificate is good in: one of the two, or both
/// (`ProviderAPI#Key-scopes`, `ProviderAPI#Certificates`).
public enum EnvironmentScope: String, CaseIterable, Sendable {
    case sandbox
    case production
    case both

    /// Whether it covers an environment.
    public func contains(_ environment: APNsEnvironment) -> Bool { self == .both || rawValue == environment.rawValue }
}
