/// A request that concerns channels, with all inputs of its checks: a broadcast, or a call of channel management
/// (`ProviderAPI#Broadcasts`).
package struct ChannelRequest: Sendable {
    /// What a request of a known method asks for.
    package enum Operation: Sendable {
        case broadcast, create, read, delete, list
    }

    /// The request as the checks that concern every request read it.
    package let candidate: Candidate
    package let resource: ChannelPath.Resource
    package let bundleID: String
    /// The place of the bundle id in the header block's bytes.
    package let bundleIDPlace: Range<Int>
    /// `nil` for a method that the resource doesn't have.
    let operation: Operation?
    /// The reply's `apns-request-id`, if a well-formed one was sent.
    package let requestID: NotificationID?
    /// `apns-channel-id`; `nil` if it was not sent or is malformed.
    package let channelID: ChannelID?

    /// Recognises a request by its path; `nil` for any other path.
    package init?(_ candidate: Candidate) {
        let bytes = candidate.headers.storage.span
        guard let place = candidate.fields[.path], let path = ChannelPath(bytes.extracting(place)) else { return nil }
        self.candidate = candidate
        resource = path.resource
        bundleIDPlace = (place.lowerBound + path.bundleID.lowerBound)..<(place.lowerBound + path.bundleID.upperBound)
        bundleID = bytes.extracting(bundleIDPlace).text
        requestID = ChannelRequest.requestID(of: candidate)
        channelID = candidate.fields[.apnsChannelID].flatMap { ChannelID(bytes.extracting($0)) }
        operation =
            switch (path.resource, candidate.text(.method)) {
            case (.broadcasts, "POST"): .broadcast
            case (.channels, "POST"): .create
            case (.channels, "GET"): .read
            case (.channels, "DELETE"): .delete
            case (.allChannels, "GET"): .list
            default: nil
            }
    }

    /// The refusal of a path that channel management doesn't have.
    package static func unknownPath(of candidate: borrowing Candidate) -> Refusal {
        Refusal(
            .badPath,
            ":path is \(candidate.text(.path)); /1/apps/<bundle id>/channels or /1/apps/<bundle id>/all-channels was "
                + "expected")
    }

    /// The well-formed `apns-request-id`; without one `apns-id`, which one of Apple's examples sends in its place.
    package static func requestID(of candidate: borrowing Candidate) -> NotificationID? {
        guard let place = candidate.fields[.apnsRequestID] else { return candidate.notificationID }
        return NotificationID(candidate.headers.storage.span.extracting(place))
    }

    /// The topic of the app's Live Activities, for which a key or a certificate may stand.
    var activityTopic: String { bundleID + PushType.liveactivity.topicSuffix }
}
