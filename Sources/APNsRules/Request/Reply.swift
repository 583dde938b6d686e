/// What APNs answers to one request, before it becomes frames (`ProviderAPI#Responses`).
package struct Reply: Sendable {
    package let status: Int
    /// `apns-id`.
    package let notificationID: NotificationID
    /// `apns-unique-id`, on pushes that the sandbox accepted.
    package private(set) var uniqueID: NotificationID?
    /// The refusal's JSON; empty on success.
    package let body: [UInt8]
    package private(set) var sendsContentType = false
    package let effect: WireEffect
    /// All fields except `:status` if a fault gives the answer; they replace the members above.
    package let fields: [HTTPField]?

    /// The status of a push that APNs accepts; an accepted web push has ``WebPushJudgement/acceptedStatus``.
    package static let acceptedStatus = 200

    /// Whether a status says that a push or a web push was accepted.
    package static func isAcceptance(_ status: Int) -> Bool {
        status == acceptedStatus || status == WebPushJudgement.acceptedStatus
    }

    package init(accepted id: NotificationID, uniqueID: NotificationID?, effect: WireEffect = .none) {
        self.init(status: Reply.acceptedStatus, id: id, fields: nil, body: [], effect: effect)
        self.uniqueID = uniqueID
    }

    package init(refused refusal: Refusal, id: NotificationID, settings: RuleSettings, effect: WireEffect = .none) {
        let body = Reply.body(of: refusal, settings: settings)
        self.init(status: refusal.reason.status, id: id, fields: nil, body: body, effect: effect)
        self.sendsContentType = settings.sendsErrorContentType
    }

    /// The answer to a request that concerns channels (`ProviderAPI#Broadcasts`): its id comes back as
    /// `apns-request-id`.
    package init(
        channels status: Int, requestID: NotificationID, channelID: ChannelID? = nil, body: [UInt8] = [],
        effect: WireEffect = .none
    ) {
        var fields = [HTTPField(FieldName.apnsRequestID.text, requestID.text)]
        if let channelID { fields.append(HTTPField(FieldName.apnsChannelID.text, channelID.text)) }
        if !body.isEmpty { fields.append(HTTPField("content-type", "application/json")) }
        self.init(status: status, id: requestID, fields: fields, body: body, effect: effect)
    }

    /// The refusal of a request that concerns channels.
    package init(
        channels refusal: Refusal, requestID: NotificationID, settings: RuleSettings, effect: WireEffect = .none
    ) {
        var fields = [HTTPField(FieldName.apnsRequestID.text, requestID.text)]
        if settings.sendsErrorContentType { fields.append(HTTPField("content-type", "application/json")) }
        self.init(
            status: refusal.reason.status, id: requestID, fields: fields,
            body: Reply.body(of: refusal, settings: settings), effect: effect)
    }

    /// A fault's answer: any final status, any fields, any body.
    package init(status: Int, id: NotificationID, fields: [HTTPField]?, body: [UInt8], effect: WireEffect = .none) {
        self.status = status
        self.notificationID = id
        self.body = body
        self.effect = effect
        self.fields = fields
    }

    /// The compact JSON of a refusal: `reason` and, for 410, `timestamp` in milliseconds.
    package static func body(of refusal: Refusal, settings: RuleSettings) -> [UInt8] {
        let text = settings.usesDocumentedReasons ? refusal.reason.documentedText : refusal.reason.rawValue
        return body(reason: text, timestamp: refusal.reason.status == 410 ? refusal.timestamp : nil)
    }

    package static func body(reason: String, timestamp: Instant?) -> [UInt8] {
        var members = [JSONMember("reason", .string(reason))]
        if let timestamp { members.append(JSONMember("timestamp", .number(JSONNumber(timestamp.milliseconds)))) }
        return JSONValue.object(members).encoded
    }
}

/// The effect of a reply on its connection.
package struct WireEffect: Sendable, Equatable {
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS to send with the reply.
    package var streamLimit: Int?
    /// The reason of a GOAWAY after the reply; the connection ends when its streams have (`ProviderAPI#GOAWAY`).
    package var goAway: Reason?

    package init(streamLimit: Int? = nil, goAway: Reason? = nil) {
        self.streamLimit = streamLimit
        self.goAway = goAway
    }

    package static let none = WireEffect()
}

/// A header field of a request or a reply.
package struct HTTPField: Hashable, Sendable {
    /// The field's name in lower case; the name of a pseudo-header begins with a colon.
    package let name: String
    /// Printable ASCII.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether a text is the name of a field in lower case (RFC 9110 §5.6.2, RFC 9113 §8.2).
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0.isASCIIDigit || $0.isASCIILowercase || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    /// Fields of an HTTP/1.1 connection, which make a message of HTTP/2 malformed (RFC 9113 §8.2.2).
    package static let connectionNames: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Whether HTTP/2 carries a text as the value of a field (RFC 9113 §8.2.1).
    package static func isValue(_ text: String) -> Bool {
        let blanks: Set<UInt8> = [0x20, 0x09]
        let bytes = text.utf8
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            && [bytes.first, bytes.last].allSatisfy { $0.map(blanks.contains) != true }
    }
}
