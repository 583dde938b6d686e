/// Why Apple refuses a request: the one table of reason codes (`ProviderAPI#Reasons`,
/// `ProviderAPI#Broadcast-reasons`, `WebPush#Reasons`).
///
/// Status and spelling are those on the wire; ``documentedText`` is the spelling in Apple's documents
/// (`ProviderAPI#Conflicts-and-open-questions`).
public enum Reason: String, CaseIterable, Sendable {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
    case broadcastFeatureNotEnabled = "BroadcastFeatureNotEnabled"
    case missingChannelID = "MissingChannelId"
    case badChannelID = "BadChannelId"
    case channelNotRegistered = "ChannelNotRegistered"
    case badRequestParams = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case missingPushType = "MissingPushType"
    case missingChannelQueueSize = "MissingChannelQueueSize"
    case cannotCreateChannelConfig = "CannotCreateChannelConfig"
    case topicMismatch = "TopicMismatch"
    case badTtl = "BadTtl"
    case badUrgency = "BadUrgency"
    case badWebPushRequest = "BadWebPushRequest"
    case badWebPushTopic = "BadWebPushTopic"
    case vapidPkHashMismatch = "VapidPkHashMismatch"
    case badAuthorizationHeader = "BadAuthorizationHeader"
    case badJwtToken = "BadJwtToken"
    case badVapidPublicKey = "BadVapidPublicKey"

    /// The HTTP status that goes with the reason.
    public var status: Int {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .broadcastFeatureNotEnabled, .missingChannelID,
            .badChannelID, .channelNotRegistered, .badRequestParams, .badRequestPayload, .missingPushType,
            .missingChannelQueueSize, .cannotCreateChannelConfig, .badTtl, .badUrgency, .badWebPushRequest,
            .badWebPushTopic, .vapidPkHashMismatch:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden,
            .invalidProviderToken, .missingProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyInToken,
            .topicMismatch, .badAuthorizationHeader, .badJwtToken, .badVapidPublicKey:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// The spelling in Apple's documents, which differs from the wire's for `badEnvironmentKeyInToken` and
    /// `broadcastFeatureNotEnabled`.
    public var documentedText: String {
        switch self {
        case .badEnvironmentKeyInToken: "BadEnvironmentKeyIdInToken"
        case .broadcastFeatureNotEnabled: "FeatureNotEnabled"
        default: rawValue
        }
    }

    /// The reason with a spelling, on the wire or in Apple's documents; `nil` for another text.
    package init?(anySpelling text: String) {
        guard let reason = Reason(rawValue: text) ?? Reason.allCases.first(where: { $0.documentedText == text }) else {
            return nil
        }
        self = reason
    }

    /// Whether only the Web Push service answers it (`WebPush#Reasons`).
    public var isOfWebPush: Bool {
        switch self {
        case .badTtl, .badUrgency, .badWebPushRequest, .badWebPushTopic, .vapidPkHashMismatch, .badAuthorizationHeader,
            .badJwtToken, .badVapidPublicKey:
            true
        default: false
        }
    }

    /// Whether the Web Push service answers it, alone or as APNs does (`WebPush#Reasons`).
    package var isAnsweredByWebPush: Bool {
        switch self {
        case .idleTimeout, .badPath, .methodNotAllowed, .unregistered, .payloadTooLarge, .tooManyRequests,
            .internalServerError, .serviceUnavailable, .shutdown:
            true
        default: isOfWebPush
        }
    }

    /// Whether the credential was rejected, which lowers the stream limit: only 403 (`ProviderAPI#Reasons`).
    public var rejectsCredential: Bool { status == 403 }
}

/// APNs' refusal of one request, with a sentence for the journal.
public struct Refusal: Error, Equatable, Sendable {
    /// The reason in the answer.
    public let reason: Reason
    /// What is wrong and what was expected; never sent to the provider.
    public let detail: String
    /// When APNs learnt that the token is no longer valid; only with 410 (`ProviderAPI#Responses`).
    public let timestamp: Instant?

    /// A refusal; `timestamp` belongs to `unregistered` and `expiredToken`.
    public init(_ reason: Reason, _ detail: String, timestamp: Instant? = nil) {
        self.reason = reason
        self.detail = detail
        self.timestamp = timestamp
    }

    package static func invalidToken(_ detail: String) -> Refusal { Refusal(.invalidProviderToken, detail) }
}
