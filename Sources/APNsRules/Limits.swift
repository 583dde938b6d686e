/// The fixed limits of the service; configurable ones are in ``RuleSettings``.
public enum Limits {
    /// Bytes of a payload, all push types but VoIP (`ProviderAPI#Payload-limits`); above: 413 PayloadTooLarge.
    public static let payloadBytesMax = 4096
    /// Bytes of a VoIP payload (`ProviderAPI#Payload-limits`); above: 413 PayloadTooLarge.
    public static let voipPayloadBytesMax = 5120
    /// Bytes of a broadcast's payload (`ProviderAPI#Sending-a-broadcast`); above: 413 PayloadTooLarge.
    public static let broadcastPayloadBytesMax = 5120
    /// Channels of an app in one environment (`ProviderAPI#Broadcasts`); above: 400 CannotCreateChannelConfig.
    public static let channelsMax = 10_000
    /// Bytes of a channel id (`ProviderAPI#Channel-management`; observed).
    public static let channelIDByteCount = 16
    /// How long a channel keeps its most recent message (`ProviderAPI#Channel-management`).
    public static let channelStorageMax: Duration = .seconds(8 * 3600)
    /// Bytes of `apns-collapse-id` (`ProviderAPI#Headers`); above: 400 BadCollapseId.
    public static let collapseIDBytesMax = 64
    /// Bytes of `apns-topic` (`ProviderAPI#Push-types-and-topics`, inferred); above: 400 BadTopic.
    public static let topicBytesMax = 255
    /// Characters of a key id and of a team id (`ProviderAPI#Token-format`).
    public static let identifierLength = 10
    /// How long APNs keeps a push for a device that is offline (`ProviderAPI#Storage-and-throttling`).
    public static let storageMax: Duration = .seconds(30 * 24 * 3600)
    /// Age of a provider token, inclusive: exactly 3,600 s is still valid (`ProviderAPI#Request-rates`).
    public static let providerTokenAgeMax: Duration = .seconds(3600)
    /// How far in the future `iat` may be (`ProviderAPI#Token-age`, inferred).
    public static let providerTokenSkewMax: Duration = .seconds(3600)
    /// Time that must pass between two changes of a connection's provider token (`ProviderAPI#Token-updates`).
    public static let providerTokenChangeInterval: Duration = .seconds(1200)
    /// Changes that may come too early before 429 TooManyProviderTokenUpdates (`ProviderAPI#Request-rates`).
    public static let providerTokenChangeGrace = 1
    /// Topics of a topic-specific signing key (`ProviderAPI#Key-scopes`).
    public static let topicsOfKeyMax = 400
    /// Signing keys that one connection remembers: more than a team can have in both environments, 2 and 200 in each
    /// (`ProviderAPI#Key-scopes`); with `--auth structural` a client could name any number.
    public static let keysOfConnectionMax = 512
    /// Bytes of a provider token, about 200 in practice; above: 403 InvalidProviderToken.
    public static let providerTokenBytesMax = 4096
    /// Bytes of a refusal's body; APNSwift reads no more (`ProviderAPI#Request-rates`).
    public static let refusalBodyBytesMax = 1024
    /// Streams that a connection may open before it has proved a provider token (`ProviderAPI#Stream-limits`).
    public static let streamsBeforeTrust = 1
    /// Streams that a trusted connection may have open (`ProviderAPI#Stream-limits`); also the hard cap on streams
    /// opened before the client has acknowledged a limit.
    public static let streamsMax = 1000
    /// SETTINGS_HEADER_TABLE_SIZE in bytes (`ProviderAPI#Stream-limits`).
    public static let headerTableBytes = 4096
    /// SETTINGS_MAX_FRAME_SIZE in bytes (`ProviderAPI#Stream-limits`).
    public static let frameBytesMax = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes as RFC 9113 §6.5.2 counts them (`ProviderAPI#Stream-limits`).
    public static let headerListBytesMax = 8000
    /// Bytes of header fields, counted like ``headerListBytesMax``, up to which too large a list is answered 431.
    ///
    /// A larger one resets its stream: a block of 12 kB can name a long field of the dynamic table 12,000 times.
    public static let headerListBytesReadMax = 65_536
    /// Futile frames (empty DATA, or a frame that gets its stream reset) that a connection may send in addition to one
    /// for each answered request: far more than a faulty client sends, far fewer than a flood has (RFC 9113 §10.5).
    public static let futileFramesMax = 1000
}
