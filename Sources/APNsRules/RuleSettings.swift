/// The choices that `ProviderAPI#Conflicts-and-open-questions` leaves to the user, each with APNs' observed behaviour
/// as default.
public struct RuleSettings: Hashable, Sendable {
    /// What happens to a request that is wrong in a way that APNs is not known to refuse.
    public enum Strictness: String, CaseIterable, Sendable {
        case lenient
        case strict
    }

    /// What the changes of provider token are counted by.
    public enum TokenUpdateScope: String, CaseIterable, Sendable {
        case connection
        case key
    }

    /// `--payload-check`: `strict` answers PayloadEmpty to a body that is not a JSON object.
    public var payloadCheck: Strictness = .lenient
    /// `--push-type-check`: `strict` answers InvalidPushType or BadPriority where type, payload, priority or topic disagree.
    public var pushTypeCheck: Strictness = .lenient
    /// `--error-content-type`: whether a refusal carries `content-type: application/json`.
    public var sendsErrorContentType = true
    /// `--documented-reasons`: whether reasons are spelt as in Apple's documents.
    public var usesDocumentedReasons = false
    /// `--token-length`: the allowed number of bytes of a device token.
    public var tokenByteCounts = DeviceToken.defaultByteCounts
    /// `--token-updates`.
    public var tokenUpdates: TokenUpdateScope = .connection

    /// The defaults: APNs as observed.
    public init() {}
}
