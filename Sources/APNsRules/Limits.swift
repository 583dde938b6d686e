/// Every limit of the service that is the same for all servers; what may be chosen is in ``RuleSettings``.
public enum Limits {
    /// Bytes of a payload, all push types but VoIP (`provider-api.md` §2.3); above: 413 PayloadTooLarge.
    public static let payloadBytesMax = 4096
    /// Bytes of a VoIP payload (`provider-api.md` §2.3); above: 413 PayloadTooLarge.
    public static let voipPayloadBytesMax = 5120
    /// Bytes of `apns-collapse-id` (`provider-api.md` §2.1); above: 400 BadCollapseId.
    public static let collapseIDBytesMax = 64
    /// Bytes of `apns-topic` (`provider-api.md`, decisions); above: 400 BadTopic.
    public static let topicBytesMax = 255
    /// Characters of a key id and of a team id (`provider-api.md` §5.1).
    public static let identifierLength = 10
    /// How long APNs keeps a push for a device that is offline (`provider-api.md` §8).
    public static let storageMax: Duration = .seconds(30 * 24 * 3600)
    /// Age of a provider token, inclusive: exactly 3,600 s is still good (`provider-api.md`, decisions).
    public static let providerTokenAgeMax: Duration = .seconds(3600)
    /// How far in the future `iat` may be (`provider-api.md` §5.2; INF).
    public static let providerTokenSkewMax: Duration = .seconds(3600)
    /// Time that must pass between two changes of a connection's provider token (`provider-api.md` §5.3).
    public static let providerTokenChangeInterval: Duration = .seconds(1200)
    /// Changes that may come too early before 429 TooManyProviderTokenUpdates (`provider-api.md`, decisions).
    public static let providerTokenChangeGrace = 1
    /// Topics of a topic-specific signing key (`provider-api.md` §5.4).
    public static let topicsOfKeyMax = 400
    /// Signing keys that one connection remembers: more than a team can have in both environments, 2 and 200 in each
    /// (`provider-api.md` §5.4); with `--auth structural` a client could name any number.
    public static let keysOfConnectionMax = 512
    /// Bytes of a provider token that are looked at; libraries send about 200.
    ///
    /// Longer: InvalidProviderToken.
    public static let providerTokenBytesMax = 4096
    /// Bytes of a refusal's body; APNSwift reads no more (`provider-api.md`, decisions).
    public static let refusalBodyBytesMax = 1024
    /// Streams that a connection may open before it has proved a provider token (`provider-api.md` §1.3).
    public static let streamsBeforeTrust = 1
    /// Streams that a trusted connection may have open (`provider-api.md` §1.3); also the hard cap on those
    /// opened before the client has acknowledged a limit.
    public static let streamsMax = 1000
    /// SETTINGS_HEADER_TABLE_SIZE in bytes (`provider-api.md` §1.3).
    public static let headerTableBytes = 4096
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes (`provider-api.md` §1.3).
    public static let initialWindowBytes = 65_535
    /// SETTINGS_MAX_FRAME_SIZE in bytes (`provider-api.md` §1.3).
    public static let frameBytesMax = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes as RFC 9113 §6.5.2 counts them (`provider-api.md` §1.3).
    public static let headerListBytesMax = 8000
    /// Bytes of header fields, counted alike, that are read of a request whose list is too large, so that it can be
    /// answered 431; beyond them its stream is reset.
    ///
    /// A block of 12 kB can name a field of the dynamic table 12,000 times, and each time costs as much as the field
    /// is long.
    public static let headerListBytesReadMax = 65_536
    /// Frames of a connection that achieve nothing, beyond as many as it has had requests answered: empty DATA, and
    /// frames for which their stream is reset.
    ///
    /// Far more than a faulty client sends, far fewer than a flood has (RFC 9113 §10.5).
    public static let futileFramesMax = 1000
}
