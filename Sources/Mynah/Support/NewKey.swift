public import APNsRules

/// A signing key to make known to a server (`Documents#Keys`; `ProviderAPI#Key-scopes`).
public struct NewKey: Sendable {
    /// Where the key itself comes from.
    public enum Material: Sendable {
        /// A generated pair; a key that is already known keeps its own.
        case made
        /// The public half, `PUBLIC KEY` in PEM.
        case publicKey(String)
        /// The private key with its public half, `PRIVATE KEY` (PKCS #8) in PEM.
        case privateKey(String)

        var isMade: Bool { if case .made = self { true } else { false } }
    }

    /// The key's id, 10 letters or digits; `nil` to generate one.
    public var keyID: String?
    /// The key's team, 10 letters or digits; `nil` for the team of the server's own key.
    public var team: String?
    /// The key itself.
    public var material: Material
    /// Where the key is valid; a topic-specific key is valid in one environment.
    public var environment: EnvironmentScope
    /// The topics of a topic-specific key, at most `Limits.topicsOfKeyMax`; `nil` for a key of the whole team.
    public var topics: [String]?
    /// The topic-specific key of the same team and environment that may share a connection with it.
    public var related: String?
    /// When the key was revoked; `nil` while it is valid.
    public var revokedAt: Instant?

    /// A key; by default a new pair for the whole team and both environments.
    public init(
        keyID: String? = nil, team: String? = nil, material: Material = .made,
        environment: EnvironmentScope = .both, topics: [String]? = nil, related: String? = nil,
        revokedAt: Instant? = nil
    ) {
        self.keyID = keyID
        self.team = team
        self.material = material
        self.environment = environment
        self.topics = topics
        self.related = related
        self.revokedAt = revokedAt
    }
}
