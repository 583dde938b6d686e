internal import APNsRules
internal import Mynah
internal import MynahCore

/// A push that arrived on a device, as the inbox and the stream of the device show it (`Documents#Devices`).
struct Arrival: Sendable {
    /// The push's sequence number.
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
        self.view = item.entry.map { PushView($0) }
    }

    /// Where it arrived; `nil` when the push is no longer in the journal.
    var kind: InboxKind? {
        view.map { Arrival.kind(of: $0, payload: $0.payload) }
    }

    /// The item of the inbox; mostly null when the push is no longer in the journal.
    var json: JSONValue {
        var members: [JSONMember] = [JSONMember("sequence", .number(JSONNumber(sequence)))]
        if let view {
            let payload = view.payload
            members += [
                JSONMember("apnsId", .string(view.entry.notificationID.text)),
                JSONMember("topic", view.topic.map { .string($0) } ?? .null),
                JSONMember("pushType", .string(view.pushType(payload: payload))),
                JSONMember("kind", .string(Arrival.kind(of: view, payload: payload).rawValue)),
                JSONMember("payload", payload == nil ? .null : .raw(Array(view.entry.body))),
            ]
        } else {
            members += ["apnsId", "topic", "pushType", "kind", "payload"].map { JSONMember($0, .null) }
        }
        members += [
            JSONMember("deliveredAt", .string(deliveredAt.rfc3339)), JSONMember("evicted", .bool(view == nil)),
        ]
        return .object(members)
    }

    private static func kind(of view: PushView, payload: JSONValue?) -> InboxKind {
        InboxKind(
            pushType: view.givenPushType.flatMap { PushType(rawValue: $0) }, topic: Array((view.topic ?? "").utf8).span,
            payload: payload)
    }
}

extension DeviceInbox {
    /// The arrivals that are not dropped, in order.
    var arrivals: [Arrival] {
        items.enumerated().map { Arrival($1, ordinal: dropped + UInt64($0) + 1) }
    }

    /// The place after a push's arrival, the last of several; `nil` when the push is not there.
    func place(after sequence: UInt64) -> Int? {
        items.lastIndex { $0.sequence == sequence }.map { $0 + 1 }
    }
}
