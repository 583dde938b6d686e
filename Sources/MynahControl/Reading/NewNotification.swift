internal import APNsRules
internal import Mynah
package import MynahCore

/// The body of `POST /v1/notifications`.
package struct NewNotification: Sendable {
    /// How long connecting may take, and again the answer.
    static let timeoutMax = Duration.seconds(60)
    private static let timeoutDefault = Duration.seconds(30)

    package static let schema: Schema = [
        Member("token", .someText, summary: "The device token; a push goes to a token or a channel."),
        Member(
            "channel", .someText,
            summary: "The channel of a broadcast, apns-channel-id; topic is then the app's bundle ID."),
        Member(
            "topic", .anyText,
            summary: "apns-topic: the app's bundle ID, with a suffix for some push types; a broadcast's has none."),
        Member("pushType", .anyText, summary: "apns-push-type."),
        Member("priority", .either(.anyText, .integer(0...Int64.max)), summary: "apns-priority."),
        Member("expiration", .either(.anyText, .integer(0...Int64.max)), summary: "apns-expiration, in Unix seconds."),
        Member("collapseId", .anyText, summary: "apns-collapse-id."),
        Member("apnsId", .anyText, summary: "apns-id, or apns-request-id of a broadcast; random by default."),
        Member("payload", .any(), summary: "The payload; a request has it, payloadBase64 or no body."),
        Member("payloadBase64", .named("Base64", .anyText), summary: "The body's own bytes, which need not be JSON."),
        Member("environment", .choice(APNsEnvironment.self), summary: "By default the server's."),
        Member(
            "timeout", .duration(.milliseconds(1)...timeoutMax),
            summary: "How long connecting may take, and again the answer.", default: "30s"),
    ]
    static let document = RequestDocument(
        "NotificationSpecification", schema,
        example: [
            "token": .string(FilterKey.token.example), "topic": "com.example.app", "payload": ["aps": ["alert": "hi"]],
        ])

    let push: OwnPush
    /// The id of the push, and the header field that has it.
    let id: String
    let idName: String

    init(json: JSONValue) throws(InputError) {
        let reader = try ObjectReader(json, NewNotification.schema)
        let token = try reader.pathPart("token")
        let channel = try reader.fieldValue("channel")
        guard (token == nil) != (channel == nil) else {
            throw InputError(
                at: reader.place("token"),
                token == nil ? "token is missing" : "token and channel exclude each other",
                hint: ": expected a device token, or the channel of a broadcast")
        }
        let topic = try channel == nil ? reader.fieldValue("topic") : reader.pathPart("topic")
        idName = channel == nil ? "apns-id" : "apns-request-id"
        id = try reader.fieldValue("apnsId") ?? NotificationID(generated: .random(in: 0 ... .max)).text
        let fields = [
            ("apns-topic", channel == nil ? topic : nil), ("apns-channel-id", channel),
            ("apns-push-type", try reader.fieldValue("pushType")),
            ("apns-priority", try reader.fieldValue("priority")),
            ("apns-expiration", try reader.fieldValue("expiration")),
            ("apns-collapse-id", try reader.fieldValue("collapseId")), (idName, id),
        ]
        push = OwnPush(
            path: token.map { "/3/device/\($0)" } ?? "/4/broadcasts/apps/\(topic ?? "")",
            headers: fields.compactMap { name, value in value.map { (name, $0) } }, body: try reader.body(),
            environment: reader.choice("environment"),
            timeout: reader.duration("timeout") ?? NewNotification.timeoutDefault)
    }
}

extension ObjectReader {
    /// A text as a part of a path, where only visible ASCII can be sent.
    fileprivate func pathPart(_ name: String) throws(InputError) -> String? {
        guard let text = text(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .mismatch(.string(text), at: place(name), expected: "printable ASCII without spaces")
        }
        return text
    }

    /// A text or a number as the value of a header field, where only printable ASCII can be sent.
    fileprivate func fieldValue(_ name: String) throws(InputError) -> String? {
        guard let value = self[name] else { return nil }
        let text = value.string ?? value.encodedText
        let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, !text.hasPrefix(" "), !text.hasSuffix(" ") else {
            throw .mismatch(value, at: place(name), expected: "printable ASCII without spaces around it")
        }
        return text
    }

    fileprivate func body() throws(InputError) -> [UInt8] {
        let payload = self["payload"]
        guard let text = text("payloadBase64") else { return payload?.encoded ?? [] }
        if payload != nil {
            throw error("payloadBase64", "payload and payloadBase64 exclude each other: expected one of them")
        }
        guard let (bytes, _) = Base64.decode(Array(text.utf8)) else {
            throw .mismatch(.string(text), at: place("payloadBase64"), expected: "base64")
        }
        return bytes
    }
}
