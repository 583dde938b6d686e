internal import APNsRules
internal import Mynah
internal import MynahCore

/// A push that arrived on a device, as the inbox and the stream of the device show it (`Documents#Devices`).
struct Arrival: Sendable {
    let sequence: UInt64
    /// The number of the arrival on the device, from 1; a stored push arrives after younger ones.
    let ordinal: UInt64
    let deliveredAt: Instant
    /// The push; `nil` when it is no longer in the journal.
    let view: PushView?

    init(_ item: DeviceInbox.Item, ordinal: UInt64) {
        self.sequence = item.sequence
        self.ordinal = ordinal
        self.deliveredAt = item.deliveredAt
        view = item.entry.map { PushView($0) }
    }

    /// The kind of push, by its push type, topic and payload; `nil` when it is no longer in the journal.
    var kind: PushKind? { view.map { Arrival.kind(of: $0, payload: $0.payload) } }

    /// The item of the inbox; mostly null when the push is no longer in the journal.
    var json: JSONValue { .object(Arrival.fields.members(of: Decoded(arrival: self, payload: view?.payload))) }

    /// An arrival with the push's body as JSON, which several members need.
    struct Decoded: Sendable {
        let arrival: Arrival
        let payload: JSONValue?
        var view: PushView? { arrival.view }
    }

    static let fields: Fields<Decoded> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.arrival.sequence) },
        Field(shown: "apnsId", .nullableText, "The push's apns-id; null if it is gone.") {
            .text($0.view?.entry.notificationID.text)
        },
        Field(shown: "topic", .nullableText, "The topic; null if it is gone.") { .text($0.view?.topic) },
        Field(shown: "pushType", .nullableText, "The push's apns-push-type; null if it is gone.") { arrival in
            .text(arrival.view.flatMap { $0.pushType(payload: arrival.payload) })
        },
        Field(
            shown: "kind", .nullable(.any(schema: "InboxKind")), "The kind of push; null if it is gone."
        ) { arrival in .text(arrival.view.map { kind(of: $0, payload: arrival.payload).rawValue }) },
        Field(
            shown: "payload", .any(), "The body's own bytes; null if it is not JSON or gone from the journal."
        ) { arrival in arrival.view.flatMap { arrival.payload == nil ? nil : .raw(Array($0.content)) } ?? .null },
        Field(
            shown: "payloadBase64", .nullableText,
            "The body if it is not JSON, up to the limit of its push type; null otherwise, or if it is gone."
        ) { arrival in
            arrival.payload == nil ? .text(arrival.view.map { Base64.encode($0.content) }) : .null
        },
        Field(shown: "deliveredAt", .time, "When it arrived, by the device's clock.") {
            .string($0.arrival.deliveredAt.rfc3339)
        },
        Field(
            shown: "evicted", .bool, "Whether the push is gone from the journal; its content is then null."
        ) { .bool($0.view == nil) },
    ]

    private static func kind(of view: PushView, payload: JSONValue?) -> PushKind {
        // A web push is for the user.
        if view.kind == .webPush { return .alert }
        return PushKind(
            sent: view.givenPushType.flatMap { PushType(rawValue: $0) }, topic: Array((view.topic ?? "").utf8).span,
            payload: payload)
    }
}

extension DeviceInbox {
    var arrivals: [Arrival] { items.enumerated().map { Arrival($1, ordinal: dropped + UInt64($0) + 1) } }

    /// The index after the last arrival of a push; `nil` when it is not in the inbox.
    func place(after sequence: UInt64) -> Int? { items.lastIndex { $0.sequence == sequence }.map { $0 + 1 } }
}
