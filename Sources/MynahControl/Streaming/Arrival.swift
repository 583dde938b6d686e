internal import APNsRules
internal import Mynah
internal import MynahCore

/// A push that arrived on a device, as inbox and stream tell it (`Documents#Devices`).
struct Arrival: Sendable {
    /// The push's number in the journal.
    let sequence: UInt64
    /// Which arrival on the device it is, from 1; orders them, since a push that waited arrives after younger ones.
    let ordinal: UInt64
    /// When.
    let deliveredAt: Instant
    /// The push; `nil` when it is gone from the journal.
    let view: PushView?

    init(_ item: DeviceInbox.Item, ordinal: UInt64) {
        self.sequence = item.sequence
        self.ordinal = ordinal
        self.deliveredAt = item.deliveredAt
        self.view = item.entry.map { PushView($0) }
    }

    /// Where it arrived; `nil` when the push is gone from the journal.
    var kind: InboxKind? {
        view.map { Arrival.kind(of: $0, payload: $0.payload) }
    }

    /// The item: with what is known still, when the push is gone from the journal.
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
    /// What is there still, in the order of arrival.
    var arrivals: [Arrival] {
        items.enumerated().map { Arrival($1, ordinal: dropped + UInt64($0) + 1) }
    }

    /// The place behind a push's arrival; of several, behind the last.
    ///
    /// `nil` when the push is not there.
    func place(behind sequence: UInt64) -> Int? {
        items.lastIndex { $0.sequence == sequence }.map { $0 + 1 }
    }
}
