/// One of Apple's two services; a device token is valid in only one of them (`ProviderAPI#Hosts-and-ports`,
/// `ProviderAPI#Device-tokens`).
public enum APNsEnvironment: String, CaseIterable, Sendable {
    case sandbox
    case production

    /// The environment of one of Apple's host names, in upper or lower case, including older and broadcast ones
    /// (`ProviderAPI#Hosts-and-ports`); `nil` for any other name.
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

/// The environments in which a key or a certificate is valid: one of the two, or both (`ProviderAPI#Key-scopes`,
/// `ProviderAPI#Certificates`).
public enum EnvironmentScope: String, CaseIterable, Sendable {
    case sandbox
    case production
    case both

    /// Whether this choice covers an environment.
    public func contains(_ environment: APNsEnvironment) -> Bool { self == .both || rawValue == environment.rawValue }
}
