/// A request with all inputs of the checks, parsed once.
package struct Candidate: Sendable {
    /// The fields, in the memory of ``bytes``.
    package let headers: HeaderBlock
    package let fields: RequestFields
    /// The size of the whole body.
    package let bodyByteCount: Int
    package let credential: JudgedCredential
    package let environment: APNsEnvironment
    package let settings: RuleSettings
    /// When the request was complete, by the server's clock.
    package let receivedAt: Instant
    /// How far the server's clock is ahead of the system's.
    package let clockLead: Duration

    /// What follows `/3/device/` in the path, without a slash and maybe empty; `nil` for any other path.
    let tokenPlace: Range<Int>?
    /// The token in the path; `nil`, like the next three, if it was not sent or is malformed.
    package let token: DeviceToken?
    package let notificationID: NotificationID?
    package let pushType: PushType?
    package let priority: Priority?
    /// The topic that was sent, or else the topic of a certificate with a single one (`ProviderAPI#Order-of-checks`).
    package let topic: CandidateTopic?

    package init(
        _ request: borrowing PushRequest, credential: JudgedCredential, environment: APNsEnvironment,
        settings: consuming RuleSettings, receivedAt: Instant, clockLead: Duration = .zero
    ) {
        self.init(
            bytes: request.joined, headerByteCount: request.headers.byteCount,
            excessiveBodyByteCount: request.excessiveBodyByteCount, credential: credential, environment: environment,
            settings: settings, receivedAt: receivedAt, clockLead: clockLead)
    }

    /// A request whose fields and body are in one piece, which is not copied.
    package init(
        bytes: consuming [UInt8], headerByteCount: Int, excessiveBodyByteCount: Int?, credential: JudgedCredential,
        environment: APNsEnvironment, settings: consuming RuleSettings, receivedAt: Instant, clockLead: Duration
    ) {
        self.bodyByteCount = excessiveBodyByteCount ?? bytes.count - headerByteCount
        let headers = HeaderBlock(bytes: bytes, count: headerByteCount)
        let fields = RequestFields(headers)
        let span = headers.storage.span
        (tokenPlace, token) = Candidate.token(span, path: fields[.path], byteCounts: settings.tokenByteCounts)
        self.notificationID = fields[.apnsID].flatMap { NotificationID(span.extracting($0)) }
        self.pushType = fields[.apnsPushType].flatMap { PushType(span.extracting($0)) }
        self.priority = fields[.apnsPriority].flatMap { Priority(span.extracting($0)) }
        if let place = fields[.apnsTopic] {
            self.topic = CandidateTopic(bytes: headers.storage, place: place)
        } else {
            self.topic = credential.verdict.defaultTopic.map {
                CandidateTopic(bytes: Array($0.utf8), place: 0..<$0.utf8.count)
            }
        }
        self.headers = headers
        self.fields = fields
        self.credential = credential
        self.environment = environment
        self.receivedAt = receivedAt
        self.clockLead = clockLead
        self.settings = settings
    }

    /// The token's place in the header block, `nil` if the path doesn't have the form of `ProviderAPI#Headers`, and the
    /// token if it is well-formed.
    private static func token(
        _ bytes: Span<UInt8>, path: Range<Int>?, byteCounts: ClosedRange<Int>
    ) -> (place: Range<Int>?, token: DeviceToken?) {
        guard let range = path else { return (nil, nil) }
        let path = bytes.extracting(range)
        if path.equals("/3/device") { return (range.upperBound..<range.upperBound, nil) }
        let prefix = "/3/device/"
        guard path.starts(with: prefix) else { return (nil, nil) }
        let place = (range.lowerBound + prefix.utf8.count)..<range.upperBound
        if let token = DeviceToken(hex: bytes.extracting(place), byteCounts: byteCounts) { return (place, token) }
        for index in place where bytes[index] == 0x2F || bytes[index] == 0x3F { return (nil, nil) }
        return (place, nil)
    }

    /// The fields and the body in one piece, which its journal entry and a waiting push share.
    package var bytes: [UInt8] { headers.storage }
    /// The body, or its beginning if it exceeds the limit.
    package var body: ArraySlice<UInt8> { bytes[headers.byteCount...] }

    /// Whether ``body`` is only the beginning of the body that was sent.
    var isBodyCut: Bool { bodyByteCount > body.count }
    /// `apns-expiration`; the default of APNs if it was not sent or is malformed.
    package var expiration: Expiration {
        fields[.apnsExpiration].flatMap { Expiration(headers.storage.span.extracting($0)) } ?? .storagePolicy
    }

    /// Whether the path is another than a push to a device has.
    package var isElsewhere: Bool { tokenPlace == nil }
    // Places of fields in ``bytes``, `nil` if they were not sent; named, since for a name that is not known when this is
    // compiled all places are copied.
    package var topicPlace: Range<Int>? { fields[.apnsTopic] }
    package var expirationPlace: Range<Int>? { fields[.apnsExpiration] }
    package var collapseIDPlace: Range<Int>? { fields[.apnsCollapseID] }
    func text(_ name: FieldName) -> String { fields[name].map { headers.text($0) } ?? "" }
    func has(_ name: FieldName) -> Bool { fields[name] != nil }

    /// The push type that was sent, else the one that the topic implies, else `alert`.
    package var effectivePushType: PushType {
        if let pushType { return pushType }
        guard let topic else { return .alert }
        return Topic.impliedPushType(of: topic.bytes.span.extracting(topic.place)) ?? .alert
    }

    /// The most bytes of a payload: more than the usual needs the VoIP topic and not another push type
    /// (`ProviderAPI#Payload-limits`).
    var payloadBytesMax: Int {
        guard let topic, (pushType ?? .voip) == .voip,
            Topic.suffixedPushType(of: topic.bytes.span.extracting(topic.place)) == .voip
        else { return Limits.payloadBytesMax }
        return Limits.voipPayloadBytesMax
    }
}

/// A topic as a range of bytes: usually of the request's header block, whose memory it shares.
package struct CandidateTopic: Sendable {
    package let bytes: [UInt8]
    package let place: Range<Int>

    var text: String { bytes.span.extracting(place).text }
}
