/// What APNs answers to one request, before it becomes frames (`ProviderAPI#Responses`).
package struct Reply: Sendable {
    package let status: Int
    /// `apns-id`.
    package let notificationID: NotificationID
    /// `apns-unique-id`, on what the sandbox accepted.
    package let uniqueID: NotificationID?
    /// The refusal's JSON; empty on success.
    package let body: [UInt8]
    /// Whether `content-type: application/json` is sent.
    package let sendsContentType: Bool
    package let effect: WireEffect
    /// All fields besides `:status`, in place of those above, if a fault gives the answer.
    package let fields: [HTTPField]?

    /// 200, without a body.
    package init(accepted id: NotificationID, uniqueID: NotificationID?, effect: WireEffect = .none) {
        self.status = 200
        self.notificationID = id
        self.uniqueID = uniqueID
        self.body = []
        self.sendsContentType = false
        self.effect = effect
        self.fields = nil
    }

    /// A refusal, with compact JSON as its body.
    package init(refused refusal: Refusal, id: NotificationID, settings: RuleSettings, effect: WireEffect = .none) {
        self.status = refusal.reason.status
        self.notificationID = id
        self.uniqueID = nil
        self.body = Reply.body(of: refusal, settings: settings)
        self.sendsContentType = settings.sendsErrorContentType
        self.effect = effect
        self.fields = nil
    }

    /// A fault's answer: any final status, any fields, any body.
    package init(
        status: Int, id: NotificationID, fields: [HTTPField], body: [UInt8], effect: WireEffect = .none
    ) {
        self.status = status
        self.notificationID = id
        self.uniqueID = nil
        self.body = body
        self.sendsContentType = false
        self.effect = effect
        self.fields = fields
    }

    /// The compact JSON of a refusal: `reason`, and with 410 `timestamp` in milliseconds.
    package static func body(of refusal: Refusal, settings: RuleSettings) -> [UInt8] {
        let text = settings.usesDocumentedReasons ? refusal.reason.documentedText : refusal.reason.rawValue
        return body(reason: text, timestamp: refusal.reason.status == 410 ? refusal.timestamp : nil)
    }

    package static func body(reason: String, timestamp: Instant?) -> [UInt8] {
        var members = [JSONMember("reason", .string(reason))]
        if let timestamp { members.append(JSONMember("timestamp", .number(JSONNumber(timestamp.milliseconds)))) }
        return Array(JSONValue.object(members).encodedText.utf8)
    }
}

/// What a reply does to its connection, besides being sent.
package struct WireEffect: Sendable, Equatable {
    /// A new SETTINGS_MAX_CONCURRENT_STREAMS to send with the reply.
    package var streamLimit: Int?
    /// The reason of a GOAWAY to send after the reply; the connection ends when its streams have
    /// (`ProviderAPI#GOAWAY`).
    package var goAway: Reason?

    package init(streamLimit: Int? = nil, goAway: Reason? = nil) {
        self.streamLimit = streamLimit
        self.goAway = goAway
    }

    package static let none = WireEffect()
}
