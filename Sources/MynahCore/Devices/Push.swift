package import APNsRules

/// An accepted push as devices need it; its bytes are shared with the journal's entry, so that a waiting push costs its
/// payload once.
package struct Push: Sendable {
    package let token: DeviceToken
    package let environment: APNsEnvironment
    /// `apns-priority`, 10 if it was not sent.
    package let priority: Priority
    package let pushType: PushType?
    /// The `apns-id` of the reply.
    package let notificationID: NotificationID
    /// The encoded `HeaderBlock`, followed by the body.
    package let bytes: [UInt8]
    package let headerByteCount: Int32
    /// Whether ``contradiction`` is refused.
    let contradictsItself: Bool
    private let topicPlace: Place
    // The topic of a certificate, if the request named none.
    private let ownTopic: [UInt8]?
    private let expirationPlace: Place
    private let collapsePlace: Place

    // A field's place in `bytes`.
    private struct Place: Sendable {
        var start: Int32 = 0
        var count: Int32 = 0

        init(_ range: Range<Int>?) {
            guard let range else { return }
            start = Int32(range.lowerBound)
            count = Int32(range.count)
        }

        // A field's value is never at offset 0, because its name precedes it.
        var range: Range<Int>? { start == 0 ? nil : Int(start)..<Int(start) + Int(count) }
    }

    /// Makes a push of an admitted request; `bytes` begins with its header block.
    package init(_ request: borrowing Candidate, _ admitted: AdmittedPush, id: NotificationID, bytes: [UInt8]) {
        self.token = admitted.token
        self.environment = request.environment
        self.priority = request.priority ?? .immediate
        self.pushType = request.pushType
        self.notificationID = id
        self.bytes = bytes
        self.headerByteCount = Int32(request.headers.byteCount)
        self.contradictsItself = admitted.contradictsItself
        let place = request.topicPlace
        self.topicPlace = Place(place)
        self.ownTopic = place == nil ? Array(admitted.topic.bytes[admitted.topic.place]) : nil
        self.expirationPlace = Place(request.expirationPlace)
        self.collapsePlace = Place(request.collapseIDPlace)
    }

    /// Makes a push of the bytes of a journal's entry; its topic is empty if no header names one.
    package init(
        token: DeviceToken, environment: APNsEnvironment, id: NotificationID, bytes: [UInt8], headerByteCount: Int
    ) {
        let fields = RequestFields(HeaderBlock(bytes: bytes, count: headerByteCount))
        let span = bytes.span
        self.token = token
        self.environment = environment
        self.bytes = bytes
        notificationID = id
        self.priority = fields[.apnsPriority].flatMap { Priority(span.extracting($0)) } ?? .immediate
        self.pushType = fields[.apnsPushType].flatMap { PushType(span.extracting($0)) }
        self.headerByteCount = Int32(headerByteCount)
        self.contradictsItself = false
        self.topicPlace = Place(fields[.apnsTopic])
        self.ownTopic = nil
        self.expirationPlace = Place(fields[.apnsExpiration])
        self.collapsePlace = Place(fields[.apnsCollapseID])
    }

    /// The bytes that contain the topic: the request's, or the bytes of a certificate's default topic.
    package var topicBytes: [UInt8] { ownTopic ?? bytes }
    package var topic: Range<Int> { ownTopic?.indices ?? topicPlace.range ?? 0..<0 }
    /// The collapse id's place in ``bytes``, if one was sent.
    package var collapseID: Range<Int>? { collapsePlace.range }
    /// The payload, parsed at each call; `nil` if it isn't JSON, which APNs accepts all the same
    /// (`ProviderAPI#Payload-limits`).
    var payload: JSONValue? { try? JSONValue(parsing: bytes.span.extracting(Int(headerByteCount)...)) }

    /// The refusal if push type, topic, priority and payload contradict each other (`ProviderAPI#Agreement`).
    var contradiction: Refusal? {
        Agreement.refusal(
            pushType: pushType, topic: topicBytes.span.extracting(topic), priority: priority, payload: payload)
    }

    /// Whether both have the same collapse id.
    func hasCollapseID(of other: Push) -> Bool {
        guard let id = collapseID, let otherID = other.collapseID else { return false }
        return bytes[id] == other.bytes[otherID]
    }

    /// What begins an expiration that counts from the acceptance, as TTL does; no provider can send one.
    static let relativeMark: Character = "+"

    /// Whether the push goes to a web app: only such pushes have a time to live that counts from their acceptance.
    var isWebPush: Bool { timeToLive != nil }

    private var timeToLive: Duration? {
        guard let place = expirationPlace.range, bytes[place].first == Push.relativeMark.asciiValue else { return nil }
        return Int64(bytes.span.extracting(place).text.dropFirst()).map { .seconds($0) }
    }

    private var expiration: Expiration {
        guard let place = expirationPlace.range else { return .storagePolicy }
        return Expiration(bytes.span.extracting(place)) ?? .storagePolicy
    }

    /// When a push that is accepted now expires: the earlier of its expiration and 30 days; `nil` for one attempt only,
    /// which 0 and a past date mean (`ProviderAPI#Storage-and-throttling`).
    func storageEnd(acceptedAt now: Instant) -> Instant? {
        let longest = now.advanced(by: Limits.storageMax)
        if let timeToLive { return timeToLive == .zero ? nil : min(now.advanced(by: timeToLive), longest) }
        switch expiration {
        case .storagePolicy: return longest
        case .once: return nil
        case .until(let end): return end <= now ? nil : min(end, longest)
        }
    }

    /// Whether the push is only to be seen or heard: an alert that doesn't wake the app as well.
    var isForUserAlone: Bool {
        let payload = payload
        return PushKind(sent: pushType, topic: topicBytes.span.extracting(topic), payload: payload) == .alert
            && !ContentAvailable(payload?["aps"]).wakesApp
    }

    /// Whether the push only wakes the app: no alert, badge or sound, to a topic without suffix, with
    /// `content-available` 1 or the push type `background` (`DeviceBehaviour#From-APNs-to-the-device`).
    func isBackground() -> Bool {
        guard pushType == nil || pushType == .alert || pushType == .background,
            Topic.suffixedPushType(of: topicBytes.span.extracting(topic)) == nil,
            TopicKind(topicBytes.span.extracting(topic)) != .pass
        else { return false }
        guard let payload else { return pushType == .background }
        let aps = payload["aps"]
        guard PushType.visibleMembers(of: aps).isEmpty else { return false }
        return pushType == .background || ContentAvailable(aps).wakesApp
    }
}

extension Push: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(token, environment, priority, pushType, notificationID)
        writer.write(varint: UInt64(headerByteCount))
        writer.write(bytes: bytes)
        writer.write(ownTopic)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        token = try reader.read()
        environment = try reader.read()
        priority = try reader.read()
        pushType = try reader.read()
        notificationID = try reader.read()
        headerByteCount = try reader.whole()
        // A push that is read back was accepted.
        contradictsItself = false
        bytes = Array(try reader.bytes())
        ownTopic = try reader.read()
        guard HeaderBlock.isWellFormed(bytes, count: Int(headerByteCount)) else {
            throw reader.problem("the fields of a push can't be read")
        }
        let fields = RequestFields(HeaderBlock(bytes: bytes, count: Int(headerByteCount)))
        topicPlace = Place(fields[.apnsTopic])
        expirationPlace = Place(fields[.apnsExpiration])
        collapsePlace = Place(fields[.apnsCollapseID])
    }
}
