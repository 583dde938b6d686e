public import APNsRules

/// A push as people and filters read it: an entry with its fields decoded (`Documents#Pushes`).
///
/// Made outside the journal's lock. The payload is parsed each time it is read, because most readers need it once or
/// never; readers that need it several times pass it on.
public struct PushView: Sendable {
    /// A header as it was sent.
    public struct Header: Hashable, Sendable {
        /// The name, lower case.
        public let name: String
        /// The value; of `authorization` without the signature.
        public let value: String
    }

    package let entry: Entry
    private let block: HeaderBlock
    private let fields: RequestFields

    package init(_ entry: Entry) {
        self.entry = entry
        self.block = entry.headers
        self.fields = RequestFields(block)
    }

    package var method: String? { text(.method) }
    package var path: String? { text(.path) }
    /// The topic: `apns-topic`, or if it was not sent, the topic of a certificate that has just one; for a web push the
    /// web app's origin, for a broadcast the bundle id in its path.
    public var topic: String? {
        if let web = entry.web { return web.topic }
        if isBroadcast { return entry.topicPlace.map { block.text($0) } }
        return text(.apnsTopic) ?? entry.credential.verdict.defaultTopic
    }
    /// `apns-push-type` as it was sent; for a broadcast in lower case, because its case doesn't matter there.
    package var givenPushType: String? {
        entry.web != nil ? nil : isBroadcast ? text(.apnsPushType)?.lowercased() : text(.apnsPushType)
    }
    /// Whether the push was sent to the channel of an app, not to a device.
    public var isBroadcast: Bool { entry.broadcast != nil }
    /// `apns-channel-id` of a broadcast, as it was sent.
    public var channel: String? { isBroadcast ? text(.apnsChannelID) : nil }
    /// The devices that a broadcast went to so far; `nil` for a push to a device.
    public var deviceCount: Int? { entry.broadcast?.deviceCount }

    /// `apns-priority`: 10 if it was not sent, `nil` if it is invalid.
    public var priority: Priority? {
        if entry.web != nil { return nil }
        return fields[.apnsPriority].map { Priority(block.bytes.span.extracting($0)) } ?? .immediate
    }

    /// `apns-expiration`: `nil` if it is invalid.
    public var expiration: Expiration? {
        fields[.apnsExpiration].map { Expiration(block.bytes.span.extracting($0)) } ?? .storagePolicy
    }

    /// `apns-collapse-id`.
    public var collapseID: String? { entry.web == nil ? text(.apnsCollapseID) : nil }
    /// The device's id; the token of an unnamed device, unless the push was refused.
    public var device: String? { entry.label?.device ?? (entry.outcome == .refused ? nil : entry.token?.hex) }
    /// The device's scope.
    public var scope: String? { entry.label?.scope }
    /// The id of the fault that acted.
    public var fault: String? { entry.fault }

    private func text(_ name: FieldName) -> String? { fields[name].map { block.text($0) } }

    /// The headers in order, without pseudo-headers.
    public var headers: [Header] {
        block.fields(authorization: entry.credential.authorization)
            .compactMap { $0.name.hasPrefix(":") ? nil : Header(name: $0.name, value: $0.value) }
    }

    /// The identity in a provider token with a good signature, even if its key is revoked.
    package var identity: ProviderIdentity? { entry.credential.verdict.tokenIdentity }
    /// The identity in the connection's client certificate, even if it is revoked.
    package var certificate: CertificateIdentity? { entry.credential.verdict.certificateIdentity }

    /// The body as JSON; not parsed if it was too large to be kept whole.
    package func parsePayload() -> Result<JSONValue, JSONError> {
        guard !entry.isBodyCut else {
            return .failure(JSONError(offset: entry.body.count, problem: "the rest was not kept"))
        }
        return Result { () throws(JSONError) in
            if let text = entry.web?.plaintext { return try JSONValue(parsing: text) }
            return try JSONValue(parsing: entry.bytes.span.extracting(Int(entry.headerByteCount)...))
        }
    }

    /// The body as JSON, parsed at each call; `nil` if it is not JSON or only its beginning was kept.
    public var payload: JSONValue? { try? parsePayload().get() }

    /// The push type that was sent, known or not, or else the one implied by topic and payload, of a broadcast
    /// `liveactivity`; `nil` for a topic of passes, which implies no type.
    package func pushType(payload: JSONValue?) -> String? {
        if entry.web != nil { return nil }
        if let givenPushType { return givenPushType }
        if isBroadcast { return PushType.liveactivity.rawValue }
        // The type of the topic's suffix, else `background` for a silent payload, else `alert`
        // (`ProviderAPI#Payload-limits`).
        let topic = topic.map { Array($0.utf8) }
        return PushType(impliedBy: topic?.span, payload: payload)?.rawValue
    }

    /// The kind of thing that the push's topic names.
    private var topicKind: TopicKind { topic.map { TopicKind(Array($0.utf8).span) } ?? .app }

    /// Whether the user saw it: a delivered alert with something to show (`DeviceBehaviour#What-the-user-sees`).
    package func isShown(payload: JSONValue?) -> Bool {
        if let shown = entry.shown { return shown }
        if entry.web != nil { return false }
        guard entry.outcome == .delivered, isForUser(payload) else { return false }
        return switch payload?["aps"]?["alert"] {
        case .string(let text): !text.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }

    private func isForUser(_ payload: JSONValue?) -> Bool {
        pushType(payload: payload) == PushType.alert.rawValue && topicKind != .pass
    }

    /// Deviations from Apple's documents that APNs accepts.
    public var warnings: [String] { warnings(parsePayload()) }

    package func warnings(_ parsed: Result<JSONValue, JSONError>) -> [String] {
        if let web = entry.web { return web.findings.warnings + (entry.presentation?.content.warnings ?? []) }
        let kind = topicKind
        var warnings = givenPushType == nil && kind != .pass && !isBroadcast ? ["push type inferred"] : []
        if case .until(let time)? = expiration, time > Instant.lastOfRFC3339 {
            warnings.append("apns-expiration is after the year 9999: expected seconds since 1970, not milliseconds")
        }
        var payload: JSONValue?
        switch parsed {
        case .failure where entry.isBodyCut: break
        case .failure(let error): warnings.append(entry.body.isEmpty ? "payload is empty" : "payload is \(error)")
        case .success(let value):
            payload = value
            let aps = value["aps"]
            if value.object == nil {
                warnings.append("payload is \(value.kind): expected an object")
            } else if let aps, aps.object == nil {
                warnings.append("aps is \(aps.kind): expected an object")
            } else if aps == nil, needsAPS(value) {
                warnings.append("payload has no aps")
            }
            warnings += TopicWarnings.warnings(of: value, to: kind, pushType: pushType(payload: value))
        }
        warnings += contradictions(payload: payload).map(\.text)
        if pushType(payload: payload) == PushType.mdm.rawValue, identity != nil {
            warnings.append("push type mdm with a provider token: expected the certificate of the topic")
        }
        if !entry.isBodyCut, isForActivities {
            warnings += ActivityMessage.warnings(of: payload, isBroadcast: isBroadcast, at: deliveredAt)
                .filter { !warnings.contains($0) }
        }
        // The device may have found the same.
        return warnings + (identity?.warnings ?? []) + deviceWarnings(payload).filter { !warnings.contains($0) }
    }

    // What the device found wrong; without a screen it finds what any would.
    private func deviceWarnings(_ payload: JSONValue?) -> [String] {
        if let presentation = entry.presentation { return presentation.content.warnings }
        guard let aps = payload?["aps"], aps.object != nil, isForUser(payload) else { return [] }
        return NotificationContent(aps, app: nil, languages: []).warnings
    }

    // A File Provider's payload has members of its own, one to device management `mdm`, and one to passes none
    // (`ProviderAPI#Payload-limits`, `ProviderAPI#Topics-that-are-no-bundle-ids`).
    private func needsAPS(_ payload: JSONValue) -> Bool {
        guard topicKind != .pass, topicKind != .management else { return false }
        switch pushType(payload: payload).flatMap({ PushType(rawValue: $0) }) {
        case .fileprovider: return false
        case .mdm: return payload["mdm"]?.string == nil
        default: return true
        }
    }

    private var isForActivities: Bool {
        guard entry.outcome != .refused, let topic else { return false }
        return isBroadcast || Topic.suffixedPushType(of: Array(topic.utf8).span) == .liveactivity
    }

    private func contradictions(payload: JSONValue?) -> [Agreement.Contradiction] {
        let pushType = givenPushType.flatMap { PushType(rawValue: $0) }
        // An unknown push type was refused, and so was a broadcast without one.
        guard pushType != nil || givenPushType == nil && !isBroadcast else { return [] }
        // The topic of a broadcast is a bundle id without the suffix of its push type.
        let topicBytes = isBroadcast ? nil : topic.map { Array($0.utf8) }
        return Agreement.contradictions(
            pushType: pushType, topic: topicBytes?.span, priority: priority, payload: payload)
    }

    /// What happened to it, step by step; `shown` and `sounded` are added here for a device without a screen.
    package func timeline(isShown: Bool, sound: NotificationSound?) -> [Entry.TimelineEvent] {
        var events = entry.timeline ?? entry.firstEvents
        guard entry.shown == nil else { return events }
        if isShown { events.append(.init(at: deliveredAt, event: "shown")) }
        if let sound { events.append(.init(at: deliveredAt, event: "sounded", detail: sound.text)) }
        return events
    }

    /// When the device got the push.
    var deliveredAt: Instant { entry.timeline?.last { $0.event == Outcome.delivered.rawValue }?.at ?? entry.receivedAt }
}
