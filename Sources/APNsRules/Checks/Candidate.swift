/// A request with all that the checks look at, read once.
package struct Candidate {
    /// The request's fields.
    package let headers: HeaderBlock
    /// Where each known field is.
    package let fields: RequestFields
    /// The body, as much of it as was kept.
    package let body: [UInt8]
    /// Whether all of the body is there.
    package let bodyState: PushRequest.BodyState
    /// The credential and what cryptography says of it.
    package let credential: JudgedCredential
    /// The environment that was asked.
    package let environment: APNsEnvironment
    /// The choices in force.
    package let settings: RuleSettings
    /// The server's time.
    package let receivedAt: Instant
    /// How far the server's clock is ahead of the system's; negative when it is behind.
    package let clockLead: Duration

    /// What the path asks for.
    package let target: RequestTarget
    /// The device token, when the path has a well-formed one.
    package let token: DeviceToken?
    /// The sender's `apns-id`, when it is a UUID.
    package let notificationID: NotificationID?
    /// The push type that was sent, when it is a known one.
    package let pushType: PushType?
    /// The priority that was sent, when it is a known one.
    package let priority: Priority?
    /// The topic that the push goes to: the one sent, else that of a certificate that has just one
    /// (`ProviderAPI#Order-of-checks`).
    package let topic: CandidateTopic?

    /// Reads a request.
    package init(
        _ request: borrowing PushRequest, credential: JudgedCredential, environment: APNsEnvironment,
        settings: RuleSettings, receivedAt: Instant, clockLead: Duration = .zero
    ) {
        self.headers = request.headers
        self.body = request.body
        self.bodyState = request.bodyState
        self.credential = credential
        self.environment = environment
        self.settings = settings
        self.receivedAt = receivedAt
        self.clockLead = clockLead
        let fields = RequestFields(request.headers)
        self.fields = fields
        let bytes = request.headers.bytes.span
        let target = fields[.path].map { RequestTarget(path: bytes, in: $0) } ?? .other
        self.target = target
        if case .device(let place) = target {
            self.token = DeviceToken(hex: bytes.extracting(place), byteCounts: settings.tokenByteCounts)
        } else {
            self.token = nil
        }
        self.notificationID = fields[.apnsID].flatMap { NotificationID(bytes.extracting($0)) }
        self.pushType = fields[.apnsPushType].flatMap { PushType(bytes.extracting($0)) }
        self.priority = fields[.apnsPriority].flatMap { Priority(bytes.extracting($0)) }
        if let place = fields[.apnsTopic] {
            self.topic = CandidateTopic(bytes: request.headers.bytes, place: place)
        } else {
            self.topic = credential.verdict.defaultTopic.map { CandidateTopic(Array($0.utf8)) }
        }
    }

    /// The size of the whole body; see ``PushRequest/BodyState/exceedsLimit(byteCount:)``.
    package var bodyByteCount: Int {
        switch bodyState {
        case .complete: body.count
        case .exceedsLimit(let byteCount): byteCount
        }
    }

    /// Whether ``body`` is only the beginning of what was sent.
    var isBodyCut: Bool { bodyByteCount > body.count }

    /// The value of a field as text, for a refusal's sentence.
    func text(_ name: FieldName) -> String {
        fields[name].map { headers.text($0) } ?? ""
    }

    /// Whether a field was sent.
    func has(_ name: FieldName) -> Bool {
        fields[name] != nil
    }

    /// The push type for limits: the one sent, else the one that the topic stands for, else `alert`.
    package var effectivePushType: PushType {
        if let pushType { return pushType }
        guard let topic else { return .alert }
        return Topic.impliedPushType(of: topic.bytes.span.extracting(topic.place)) ?? .alert
    }
}

/// A topic's bytes where they lie: in the request's header block, of which this shares the memory, or by themselves.
package struct CandidateTopic {
    /// Bytes with the topic among them.
    package let bytes: [UInt8]
    /// Where in them it is.
    package let place: Range<Int>

    /// A topic among other bytes.
    init(bytes: [UInt8], place: Range<Int>) {
        self.bytes = bytes
        self.place = place
    }

    /// A topic by itself.
    init(_ topic: [UInt8]) {
        self.init(bytes: topic, place: topic.indices)
    }
}

/// What a path asks for (`ProviderAPI#Headers`).
package enum RequestTarget: Sendable, Equatable {
    /// `/3/device/` and, at this place in the block, something without a further slash, maybe nothing.
    case device(Range<Int>)
    /// Anything else.
    case other

    /// Reads a path.
    init(path bytes: Span<UInt8>, in range: Range<Int>) {
        let path = bytes.extracting(range)
        let prefix = "/3/device/"
        let prefixCount = prefix.utf8.count
        if path.count == prefixCount - 1, path.equals("/3/device") {
            self = .device(range.upperBound..<range.upperBound)
            return
        }
        guard path.count >= prefixCount, path.extracting(0..<prefixCount).equals(prefix) else {
            self = .other
            return
        }
        for index in prefixCount..<path.count where path[index] == 0x2F || path[index] == 0x3F {
            self = .other
            return
        }
        self = .device((range.lowerBound + prefixCount)..<range.upperBound)
    }
}
