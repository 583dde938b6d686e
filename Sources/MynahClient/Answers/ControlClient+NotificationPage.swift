// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/notifications(_:)`` returns.
    public struct NotificationPage: ControlAnswer, AnswerObject {
        /// The items of this page.
        public let items: [Notification]
        /// `nil` on the last page.
        public let nextCursor: String?
        /// On all pages.
        public let matched: Int
        /// Whether the call waited without success.
        public let timedOut: Bool
        /// How many pushes were evicted since the start or a reset.
        public let evicted: Int
        /// The last sequence number of the journal.
        public let lastSequence: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "NotificationPage"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            items = try answer.member("items")
            nextCursor = try answer.optional("nextCursor")
            matched = try answer.member("matched")
            timedOut = try answer.member("timedOut")
            evicted = try answer.member("evicted")
            lastSequence = try answer.member("lastSequence")
            json = answer.json
        }
    }

    /// What ``ControlClient/notification(_:)`` returns.
    public struct Notification: ControlAnswer, AnswerObject {
        /// Orders everything that happens on the server; never decreases.
        ///
        /// Pushes to one device are numbered in the order in which they were accepted for it, except for a push whose
        /// answer a fault delays: it has the number of its arrival, and is accepted when the delay is over. When one of
        /// two pushes replaces the other, the one with the higher number stays.
        public let sequence: Int
        /// The push's apns-id.
        public let apnsID: String
        /// Whether it went to a device token, to a channel, or to a web app's subscription.
        public let kind: NotificationKind
        /// How many pushes have had this apns-id, if the sender gave it; otherwise 1.
        public let attempt: Int
        /// The latest push in the journal with the same token and body, at most 30 s earlier by the server's clock.
        ///
        /// It need not be a retry: an app may send the same text twice.
        public let repeats: Int?
        /// The answer's apns-unique-id.
        public let uniqueID: String?
        /// When the push arrived, by the server's clock.
        public let receivedAt: Instant
        /// The environment of APNs.
        public let environment: Environment
        /// The number of the connection.
        public let connection: Int
        /// The number of the HTTP/2 stream.
        public let stream: Int
        /// What the provider proved its identity with; `nil` if nothing was valid.
        public let credential: Credential?
        /// The device token, lower-case hexadecimal digits.
        public let token: String?
        /// The device's ID.
        public let device: String?
        /// The device's scope; `nil` if it belongs to none.
        public let scope: String?
        /// The topic (apns-topic); of a broadcast, the app's bundle ID.
        public let topic: String?
        /// The ID of the broadcast channel (apns-channel-id).
        public let channel: String?
        /// How many devices a broadcast went to.
        public let devices: Int?
        /// The push's apns-push-type.
        public let pushType: String?
        /// The push's apns-priority.
        public let priority: Int?
        /// A time; 0 if that was sent, and the seconds beyond the year 9999.
        public let expiration: NotificationExpiration?
        /// The push's apns-collapse-id.
        public let collapseID: String?
        /// The HTTP method, if it is not POST.
        public let method: String?
        /// The path of the request, if it names no device token.
        public let path: String?
        /// The request's header fields in order, each a name and a value.
        public let headers: [[String]]
        /// The body's own bytes if it is JSON, else `nil`; of a web push, what its browser decrypts.
        public let payload: JSONValue?
        /// The body if it is not JSON, up to the limit of its push type.
        public let payloadBase64: String?
        /// What only a web push has.
        public let webPush: NotificationWebPush?
        /// Bytes of the body.
        ///
        /// If it is too large: content-length, or without that field what had arrived.
        public let payloadSize: Int
        /// What is unusual without being refused, a sentence each.
        public let warnings: [String]
        /// The HTTP status of the answer.
        public let status: Int?
        /// APNs' reason of a refusal.
        public let reason: String?
        /// Milliseconds since 1970, with 410.
        public let timestamp: Int?
        /// The ID of the fault rule that acted.
        public let fault: String?
        /// What became of the push.
        public let outcome: NotificationOutcome
        /// Whether the user saw it.
        public let shown: Bool
        /// Whether the user heard it, with an alert or without.
        public let sounded: Bool
        /// What happened to the push, oldest first.
        public let timeline: [NotificationTimeline]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Notification"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            apnsID = try answer.member("apnsId")
            kind = try answer.member("kind")
            attempt = try answer.member("attempt")
            repeats = try answer.optional("repeats")
            uniqueID = try answer.optional("uniqueId")
            receivedAt = try answer.member("receivedAt")
            environment = try answer.member("environment")
            connection = try answer.member("connection")
            stream = try answer.member("stream")
            credential = try answer.optional("credential")
            token = try answer.optional("token")
            device = try answer.optional("device")
            scope = try answer.optional("scope")
            topic = try answer.optional("topic")
            channel = try answer.optional("channel")
            devices = try answer.optional("devices")
            pushType = try answer.optional("pushType")
            priority = try answer.optional("priority")
            expiration = try answer.optional("expiration")
            collapseID = try answer.optional("collapseId")
            method = try answer.optional("method")
            path = try answer.optional("path")
            headers = try answer.member("headers")
            payload = try answer.optional("payload")
            payloadBase64 = try answer.optional("payloadBase64")
            webPush = try answer.optional("webPush")
            payloadSize = try answer.member("payloadSize")
            warnings = try answer.member("warnings")
            status = try answer.optional("status")
            reason = try answer.optional("reason")
            timestamp = try answer.optional("timestamp")
            fault = try answer.optional("fault")
            outcome = try answer.member("outcome")
            shown = try answer.member("shown")
            sounded = try answer.member("sounded")
            timeline = try answer.member("timeline")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Notification/kind``.
    public struct NotificationKind: ControlWord, AnswerWord {
        /// The word `push`.
        public static let push = Self(rawValue: "push")
        /// The word `broadcast`.
        public static let broadcast = Self(rawValue: "broadcast")
        /// The word `webPush`.
        public static let webPush = Self(rawValue: "webPush")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Notification/credential``.
    public struct Credential: ControlAnswer, AnswerObject {
        /// Of a rejected token only this is known.
        public let kind: CredentialKind
        /// The ID of the team.
        public let team: String?
        /// The signing key's ID.
        public let keyID: String?
        /// The certificate's subject.
        public let subject: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Credential"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            kind = try answer.member("kind")
            team = try answer.optional("team")
            keyID = try answer.optional("keyId")
            subject = try answer.optional("subject")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Credential/kind``.
    public struct CredentialKind: ControlWord, AnswerWord {
        /// The word `token`.
        public static let token = Self(rawValue: "token")
        /// The word `certificate`.
        public static let certificate = Self(rawValue: "certificate")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Notification/expiration``.
    public enum NotificationExpiration: Hashable, Sendable, AnswerValue {
        /// The form of a string.
        case text(String)
        /// The form of a number.
        case number(Int)

        static var expected: String { "a string or a number" }

        init(_ answer: AnswerReader) throws(ClientError) {
            switch answer.json {
            case .string: self = .text(try answer.value())
            case .number: self = .number(try answer.value())
            default: throw answer.unexpected(insteadOf: Self.expected)
            }
        }
    }

    /// The value of ``ControlClient/Notification/webPush``.
    public struct NotificationWebPush: ControlAnswer, AnswerObject {
        /// Everything that is wrong with it; the first one was answered.
        public let refusals: [NotificationWebPushRefusals]
        /// The claims of the VAPID token; `nil` if they can't be read.
        public let claims: JSONValue?
        /// The key in Authorization, in base64url; `nil` without a valid one.
        public let applicationServerKey: String?
        /// For how many seconds it is stored: TTL, at most 30 days; `nil` if it is malformed.
        public let ttl: Int?
        /// Urgency; normal if it was not sent, `nil` if it is malformed.
        public let urgency: String?
        /// Topic; `nil` if it was not sent, or is malformed.
        public let topic: String?
        /// aes128gcm or aesgcm; `nil` for a body that is neither.
        public let encoding: String?
        /// What the browser decrypts; `nil` if it can't, or got nothing.
        public let plaintext: String?
        /// Why the browser can't decrypt it; `nil` if it can, or got nothing.
        public let problem: String?
        /// Whether it declares its notification, which iOS before 18.4 doesn't look at; `nil` if it wasn't decrypted.
        public let declarative: Bool?
        /// Why a push with web_push is not declarative; `nil` for others.
        public let notDeclarative: String?
        /// The address that a tap on its notification opens; `nil` without one.
        public let navigate: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "NotificationWebPush"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            refusals = try answer.member("refusals")
            claims = try answer.optional("claims")
            applicationServerKey = try answer.optional("applicationServerKey")
            ttl = try answer.optional("ttl")
            urgency = try answer.optional("urgency")
            topic = try answer.optional("topic")
            encoding = try answer.optional("encoding")
            plaintext = try answer.optional("plaintext")
            problem = try answer.optional("problem")
            declarative = try answer.optional("declarative")
            notDeclarative = try answer.optional("notDeclarative")
            navigate = try answer.optional("navigate")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/NotificationWebPush/refusals``.
    public struct NotificationWebPushRefusals: ControlAnswer, AnswerObject {
        /// The status that goes with the reason.
        public let status: Int
        /// The reason.
        public let reason: String
        /// What is wrong and what was expected.
        public let cause: String
        /// How it is known that Apple refuses it: documented, observed or inferred.
        public let evidence: NotificationWebPushRefusalsEvidence
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "NotificationWebPushRefusals"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            status = try answer.member("status")
            reason = try answer.member("reason")
            cause = try answer.member("cause")
            evidence = try answer.member("evidence")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/NotificationWebPushRefusals/evidence``.
    public struct NotificationWebPushRefusalsEvidence: ControlWord, AnswerWord {
        /// The word `documented`.
        public static let documented = Self(rawValue: "documented")
        /// The word `observed`.
        public static let observed = Self(rawValue: "observed")
        /// The word `inferred`.
        public static let inferred = Self(rawValue: "inferred")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Notification/outcome``.
    public struct NotificationOutcome: ControlWord, AnswerWord {
        /// The word `pending`.
        public static let pending = Self(rawValue: "pending")
        /// The word `stored`.
        public static let stored = Self(rawValue: "stored")
        /// The word `deferred`.
        public static let deferred = Self(rawValue: "deferred")
        /// The word `delivered`.
        public static let delivered = Self(rawValue: "delivered")
        /// The word `coalesced`.
        public static let coalesced = Self(rawValue: "coalesced")
        /// The word `discarded`.
        public static let discarded = Self(rawValue: "discarded")
        /// The word `expired`.
        public static let expired = Self(rawValue: "expired")
        /// The word `refused`.
        public static let refused = Self(rawValue: "refused")
        /// The word `lost`.
        public static let lost = Self(rawValue: "lost")
        /// The word `unanswered`.
        public static let unanswered = Self(rawValue: "unanswered")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An element of ``ControlClient/Notification/timeline``.
    public struct NotificationTimeline: ControlAnswer, AnswerObject {
        /// When it happened, by the clock of the server or of the device's scope.
        public let at: Instant
        /// What happened.
        public let event: String
        /// More about it, if there is more to say.
        public let detail: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "NotificationTimeline"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            at = try answer.member("at")
            event = try answer.member("event")
            detail = try answer.optional("detail")
            json = answer.json
        }
    }
}
