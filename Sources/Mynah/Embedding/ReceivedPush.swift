public import APNsRules
public import MynahCore

/// A push in the journal: the request, the answer and the outcome (`Documents#Pushes`); a snapshot, which later changes
/// of the push don't affect.
public typealias ReceivedPush = PushView

extension PushView: CustomStringConvertible {
    /// The push's sequence number, which orders all pushes and events of a server.
    public var sequence: UInt64 { entry.sequence }
    /// `apns-id`: the sender's, letter for letter, or a generated one.
    public var apnsID: NotificationID { entry.notificationID }
    /// `apns-unique-id`; `nil` in production and for a refused push.
    public var uniqueID: NotificationID? { entry.uniqueID }
    /// The number of pushes with this `apns-id` up to this one; 1 if the sender gave none.
    public var attempt: Int { Int(entry.attempt) }
    /// The number of the latest earlier push in the journal with the same token and body within 30 s.
    public var repeats: UInt64? { entry.repeats }
    /// When the request was complete, by the server's clock.
    public var receivedAt: Instant { entry.receivedAt }
    /// The environment whose service the push was sent to.
    public var environment: APNsEnvironment { entry.environment }
    /// The connection's number, from 1.
    public var connection: UInt64 { entry.connection }
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    public var stream: Int { Int(entry.stream) }
    /// The device token, where the path had a well-formed one.
    public var token: DeviceToken? { entry.token }
    /// The team of a provider token with a good signature.
    public var teamID: String? { identity?.team }
    /// The key of a provider token with a good signature.
    public var keyID: String? { identity?.keyID }
    /// `apns-push-type` as it was sent, or the one that topic and payload imply; `nil` if a pass is updated without one.
    public var pushType: String? { pushType(payload: payload) }
    /// The body as it was sent; only its beginning if it was too large.
    public var body: [UInt8] { Array(entry.body) }
    /// The size of the whole body in bytes; of one that was too large `content-length`, else what had arrived.
    public var bodyByteCount: Int { Int(entry.bodyByteCount) }

    /// The status that was answered; `nil` if there is no answer.
    public var status: Int? { entry.status.map(Int.init) }
    /// The answered reason if it is one of Apple's; ``reasonText`` also has a fault's own.
    public var reason: Reason? { entry.reason }
    /// The reason as it was answered.
    public var reasonText: String? { entry.reasonText }
    /// The `timestamp` of a 410: since when the token is invalid.
    public var unregisteredAt: Instant? { entry.timestamp }
    /// The push's outcome so far.
    public var outcome: Outcome { entry.outcome }
    /// Whether the user saw the push.
    public var isShown: Bool { isShown(payload: payload) }
    /// The whole push as `GET /v1/notifications/{sequence}` answers it.
    public var document: JSONValue { json }

    /// `push 7: 410 Unregistered, com.example.app, kim`; of a broadcast the channel in place of the device.
    public var description: String {
        let answer = [status.map { "\($0)" }, reasonText ?? outcome.rawValue].compactMap(\.self).joined(separator: " ")
        let receiver = isBroadcast ? channel.map { "channel \($0)" } : device
        return "push \(sequence): " + [answer, topic, receiver].compactMap(\.self).joined(separator: ", ")
    }
}
