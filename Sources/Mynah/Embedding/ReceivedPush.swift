public import APNsRules
package import MynahCore

/// A push as the journal has it: what was sent, what was answered, what became of it (`Documents#Pushes`).
///
/// A snapshot. Read the push again to see later changes.
public struct ReceivedPush: Sendable, CustomStringConvertible {
    /// A header as it was sent.
    public struct Header: Hashable, Sendable {
        /// The name, lower case.
        public let name: String
        /// The value; of `authorization` without the signature.
        public let value: String
    }

    private let view: PushView

    package init(_ view: PushView) {
        self.view = view
    }

    private var entry: Entry { view.entry }

    // MARK: What was sent

    /// Orders all that happens on a server; ask for what comes `after` it.
    public var sequence: UInt64 { entry.sequence }
    /// `apns-id`: the sender's, letter for letter, or a generated one.
    public var apnsID: NotificationID { entry.notificationID }
    /// Counts the pushes with this `apns-id` up to this one, where the sender gave it; 1 without one.
    public var attempt: Int { Int(entry.attempt) }
    /// The number of the latest earlier push with the same token and body within 30 s; `nil` where none is in the
    /// journal.
    public var repeats: UInt64? { entry.repeats }
    /// When the request was complete, by the server's clock.
    public var receivedAt: Instant { entry.receivedAt }
    /// The service that was asked.
    public var environment: APNsEnvironment { entry.environment }
    /// The connection's number, from 1.
    public var connection: UInt64 { entry.connection }
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    public var stream: Int { Int(entry.stream) }
    /// The device token, where the path had a well-formed one.
    public var token: DeviceToken? { entry.token }
    /// The id of the device that the token names; `nil` for a push that was refused before that was looked up.
    public var device: String? { view.device }
    /// The device's scope.
    public var scope: String? { view.scope }
    /// `apns-topic`, or the topic of a certificate that has just one.
    public var topic: String? { view.topic }
    /// The team of a provider token with a good signature.
    public var teamID: String? { view.identity?.team }
    /// The key of a provider token with a good signature.
    public var keyID: String? { view.identity?.keyID }
    /// `apns-push-type` as it was sent, or the one that topic and payload stand for.
    public var pushType: String { view.pushType(payload: payload) }
    /// `apns-priority`: 10 when it was not sent, `nil` when it is none.
    public var priority: Priority? { view.priority }
    /// `apns-expiration`; `nil` when it is none.
    public var expiration: Expiration? { view.expiration }
    /// `apns-collapse-id`.
    public var collapseID: String? { view.collapseID }
    /// The headers in order, without pseudo-headers.
    public var headers: [Header] { view.headers.map { Header(name: $0.name, value: $0.value) } }
    /// The body as it was sent; of one that was larger than a payload may be only the beginning.
    public var body: [UInt8] { Array(entry.body) }
    /// The size of the whole body in bytes; of one that was too large, as `content-length` declares it or, without
    /// that, of what had arrived when it was refused.
    public var bodyByteCount: Int { Int(entry.bodyByteCount) }
    /// The body as JSON, parsed at each call; `nil` if it is not JSON or only its beginning was kept.
    public var payload: JSONValue? { view.payload }

    // MARK: What was answered, and what became of it

    /// The status that was answered, a fault's included; `nil` while or when nothing is.
    public var status: Int? { entry.status.map(Int.init) }
    /// The reason of Apple's that was answered; ``reasonText`` has a fault's own, too.
    public var reason: Reason? { entry.reason }
    /// The reason as it was answered.
    public var reasonText: String? { entry.reasonText }
    /// The `timestamp` of a 410: since when the token is no longer good.
    public var unregisteredAt: Instant? { entry.timestamp }
    /// The id of the fault that acted.
    public var fault: String? { view.fault }
    /// What became of it.
    public var outcome: PushOutcome { PushOutcome(entry.outcome) }
    /// Whether the user saw it.
    public var isShown: Bool { view.isShown(payload: payload) }
    /// What is not as Apple has it although it may be accepted, a sentence each.
    public var warnings: [String] { view.warnings }
    /// Everything, as `GET /v1/notifications/{sequence}` answers it.
    public var document: JSONValue { view.json }

    /// `push 7: 410 Unregistered, com.example.app, kim`.
    public var description: String {
        let answer = [status.map { "\($0)" }, reasonText ?? outcome.rawValue].compactMap(\.self).joined(separator: " ")
        return "push \(sequence): " + [answer, topic, device].compactMap(\.self).joined(separator: ", ")
    }
}
