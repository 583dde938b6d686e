package import APNsRules

/// What the device's side asks of an accepted push; the rest stays in its bytes.
///
/// The bytes are those of the journal's entry, shared, so that a push that waits costs its payload once.
package struct Push: Sendable {
    /// Whom it is for.
    package let token: DeviceToken
    /// The service that was asked.
    package let environment: APNsEnvironment
    /// `apns-priority`, 10 when it was not sent.
    package let priority: Priority
    /// `apns-push-type`, when it was sent.
    package let pushType: PushType?
    /// The `apns-id` of the reply.
    package let notificationID: NotificationID
    /// The encoded `HeaderBlock`, and behind it the body.
    package let bytes: [UInt8]
    /// How many of ``bytes`` are the header block.
    package let headerByteCount: Int32
    // Places in `bytes`.
    private let topicPlace: Place
    // The topic that a certificate stands for, when the request named none.
    private let ownTopic: [UInt8]?
    private let expirationPlace: Place
    private let collapsePlace: Place

    private struct Place: Sendable {
        var start: Int32 = 0
        var count: Int32 = 0

        init(_ range: Range<Int>?) {
            guard let range else { return }
            start = Int32(range.lowerBound)
            count = Int32(range.count)
        }

        // A field is never at offset 0: its name is before it.
        var range: Range<Int>? { start == 0 ? nil : Int(start)..<Int(start) + Int(count) }
    }

    /// Reads an admitted request, with whose header block `bytes` begins.
    package init(_ request: borrowing Candidate, _ admitted: AdmittedPush, id: NotificationID, bytes: [UInt8]) {
        self.token = admitted.token
        self.environment = request.environment
        self.priority = request.priority ?? .immediate
        self.pushType = request.pushType
        self.notificationID = id
        self.bytes = bytes
        self.headerByteCount = Int32(request.headers.bytes.count)
        let place = request.fields[.apnsTopic]
        self.topicPlace = Place(place)
        self.ownTopic = place == nil ? Array(admitted.topic.bytes[admitted.topic.place]) : nil
        self.expirationPlace = Place(request.fields[.apnsExpiration])
        self.collapsePlace = Place(request.fields[.apnsCollapseID])
    }

    /// Reads a push from its bytes, as a journal's entry holds them.
    ///
    /// `nil` when there is no topic.
    package init?(
        token: DeviceToken, environment: APNsEnvironment, id: NotificationID, bytes: [UInt8], headerByteCount: Int
    ) {
        let block = HeaderBlock(bytes: bytes, count: headerByteCount)
        let fields = RequestFields(block)
        guard let topic = fields[.apnsTopic] else { return nil }
        self.token = token
        self.environment = environment
        let span = bytes.span
        self.priority = fields[.apnsPriority].flatMap { Priority(span.extracting($0)) } ?? .immediate
        self.pushType = fields[.apnsPushType].flatMap { PushType(span.extracting($0)) }
        self.notificationID = id
        self.bytes = bytes
        self.headerByteCount = Int32(headerByteCount)
        self.topicPlace = Place(topic)
        self.ownTopic = nil
        self.expirationPlace = Place(fields[.apnsExpiration])
        self.collapsePlace = Place(fields[.apnsCollapseID])
    }

    /// The bytes with the topic among them: the request's, or those of a certificate's default topic.
    package var topicBytes: [UInt8] { ownTopic ?? bytes }

    /// Where in ``topicBytes`` the topic is.
    package var topic: Range<Int> { ownTopic?.indices ?? topicPlace.range ?? 0..<0 }

    /// Where in ``bytes`` the collapse id is, when one was sent.
    package var collapseID: Range<Int>? { collapsePlace.range }

    /// The body.
    package var body: ArraySlice<UInt8> { bytes[Int(headerByteCount)...] }

    /// `apns-expiration`.
    package var expiration: Expiration {
        guard let place = expirationPlace.range else { return .storagePolicy }
        return Expiration(bytes.span.extracting(place)) ?? .storagePolicy
    }

    /// When a push that is accepted now is given up, or `nil` when it may not be stored at all.
    ///
    /// The earlier of its expiration and 30 days; 0 and a past date mean one attempt
    /// (`ProviderAPI#Storage-and-throttling`).
    package func storageEnd(acceptedAt now: Instant) -> Instant? {
        let longest = now.advanced(by: Limits.storageMax)
        switch expiration {
        case .storagePolicy: return longest
        case .once: return nil
        case .until(let end): return end <= now ? nil : min(end, longest)
        }
    }

    /// Whether two pushes have the same collapse id; those without one have not.
    package static func coalesce(_ left: Push, _ right: Push) -> Bool {
        guard let first = left.collapseID, let second = right.collapseID else { return false }
        return left.bytes[first] == right.bytes[second]
    }

    /// Whether it only wakes the app: `content-available` 1 without alert, badge and sound, to a topic without
    /// suffix (`DeviceBehaviour#From-APNs-to-the-device`).
    ///
    /// Without `content-available` the push type decides. Reads the payload, so it is asked only where the answer
    /// changes something.
    package func isBackground() -> Bool {
        guard pushType == nil || pushType == .alert || pushType == .background,
            Topic.suffixedPushType(of: topicBytes.span.extracting(topic)) == nil
        else { return false }
        let payload: JSONValue
        do throws(JSONError) {
            payload = try JSONValue(parsing: bytes.span.extracting(Int(headerByteCount)...))
        } catch {
            // What is no JSON shows nothing; APNs accepts it all the same (`ProviderAPI#Storage-and-throttling`).
            return pushType == .background
        }
        let aps = payload["aps"]
        guard ["alert", "badge", "sound"].allSatisfy({ aps?[$0] == nil }) else { return false }
        return pushType == .background || aps?["content-available"]?.integer == 1
    }
}
