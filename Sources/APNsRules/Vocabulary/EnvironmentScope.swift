/// The environments that a key or a certificate is good in: one of the two, or both
/// (`ProviderAPI#Key-scopes`, `ProviderAPI#Certificates`).
public enum EnvironmentScope: String, CaseIterable, Sendable {
    /// The sandbox only.
    case sandbox
    /// Production only.
    case production
    /// Both, as older keys and universal certificates are.
    case both

    /// Whether it covers an environment.
    public func contains(_ environment: APNsEnvironment) -> Bool {
        self == .both || rawValue == environment.rawValue
    }
}
