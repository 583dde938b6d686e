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
        (self.sequence, self.ordinal, self.deliveredAt) = (item.sequence, ordinal, item.deliveredAt)
        self.view = item.entry.map { PushView($0) }
    }

    /// The kind of push, by its push type, topic and payload; `nil` when it is no longer in the journal.
    var kind: PushKind? { view.map { Arrival.kind(of: $0, payload: $0.payload) } }

    /// The item of the inbox; mostly null when the push is no longer in the journal.
    var json: JSONValue {
        let payload = view?.payload
        return [
            "sequence": .whole(sequence), "apnsId": .text(view?.entry.notificationID.text),
            "topic": .text(view?.topic), "pushType": .text(view?.pushType(payload: payload)),
            "kind": .text(view.map { Arrival.kind(of: $0, payload: payload).rawValue }),
            "payload": view.flatMap { payload == nil ? nil : .raw(Array($0.entry.body)) } ?? .null,
            "deliveredAt": .string(deliveredAt.rfc3339), "evicted": .bool(view == nil),
        ]
    }

    private static func kind(of view: PushView, payload: JSONValue?) -> PushKind {
        PushKind(
            sent: view.givenPushType.flatMap { PushType(rawValue: $0) }, topic: Array((view.topic ?? "").utf8).span,
            payload: payload)
    }
}

extension DeviceInbox {
    var arrivals: [Arrival] { items.enumerated().map { Arrival($1, ordinal: dropped + UInt64($0) + 1) } }

    /// The index after the last arrival of a push; `nil` when it is not in the inbox.
    func place(after sequence: UInt64) -> Int? { items.lastIndex { $0.sequence == sequence }.map { $0 + 1 } }
}
