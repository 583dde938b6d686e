/// The choices that `ProviderAPI#Conflicts-and-open-questions` leaves to the user, each with APNs' observed behaviour
/// as default.
public struct RuleSettings: Hashable, Sendable {
    /// How to treat a mistake that APNs is not known to refuse.
    public enum Strictness: String, CaseIterable, Sendable {
        case lenient
        case strict
    }

    /// Whether changes of provider token are counted per connection or per signing key.
    public enum TokenUpdateScope: String, CaseIterable, Sendable {
        case connection
        case key
    }

    /// `--payload-check`: `strict` answers PayloadEmpty to a body that is not a JSON object.
    public var payloadCheck: Strictness = .lenient
    /// `--push-type-check`: `strict` also refuses pushes whose type, topic, payload and priority contradict each other in
    /// a way that APNs was not seen to refuse (`ProviderAPI#Agreement`).
    public var pushTypeCheck: Strictness = .lenient
    /// `--error-content-type`: whether a refusal carries `content-type: application/json`, as Apple documents and no
    /// capture shows (`ProviderAPI#Responses`).
    public var sendsErrorContentType = false
    /// `--documented-reasons`: whether reasons are spelt as in Apple's documents.
    public var usesDocumentedReasons = false
    /// `--token-length`: the allowed number of bytes of a device token.
    public var tokenByteCounts = DeviceToken.defaultByteCounts
    /// `--token-updates`: whether changes of provider token are counted per connection or per signing key.
    public var tokenUpdates: TokenUpdateScope = .connection

    /// `--team-topics`: the topics that a key of a whole team may push to, with their suffixed topics; empty for any
    /// (`ProviderAPI#Key-scopes`).
    public var teamTopics: [String] = []
    /// `--broadcast-apps`: the bundle ids of the apps with the broadcast capability; empty for all apps
    /// (`ProviderAPI#Channel-management`).
    public var broadcastApps: [String] = []

    /// The defaults: APNs as observed.
    public init() {}
}
