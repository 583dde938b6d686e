package import APNsRules

extension PushView {
    /// The push as the control API prints it, keys in the order of `Documents#Pushes`.
    package var json: JSONValue {
        var push = DecodedPush(self)
        return .object(PushField.all.compactMap { field in field.json(&push).map { JSONMember(field.name, $0) } })
    }

    // A rejected credential has a kind and nothing else, because what it claims is not proved.
    // By hand, as each push that is read has one.
    package var credentialJSON: JSONValue {
        if let certificate {
            return ["kind": "certificate", "team": .null, "keyId": .null, "subject": .string(certificate.subject)]
        }
        if entry.web != nil { return .null }
        guard identity != nil || entry.credential.authorization != nil else { return .null }
        return ["kind": "token", "team": .text(identity?.team), "keyId": .text(identity?.keyID), "subject": .null]
    }

    /// `null` if the header is absent or invalid, 0 if that was sent, else the time.
    var expirationJSON: JSONValue {
        switch expiration {
        case nil, .storagePolicy: .null
        case .once: 0
        // RFC 3339 has no later years.
        case .until(let instant) where instant > Instant.lastOfRFC3339: .whole(instant.milliseconds / 1000)
        case .until(let instant): .string(instant.rfc3339)
        }
    }

    /// What the push did to the device's screen when it arrived, for filters and expectations (`Documents#Screen`): the
    /// notification as `GET …/screen` prints it, the `badge` that it set (0 if it removed the number, `null` if it left
    /// it), and the `reason` in words.
    ///
    /// It stays the same when the notification is dismissed or replaced. A push that is not shown has only `badge`,
    /// `sound` and `reason`. `nil` for a push that has not arrived, that is not for the user, or whose service
    /// extension still runs.
    package func screen(payload: JSONValue?) -> JSONValue? {
        if entry.outcome == .delivered, let activity = entry.activity { return screen(of: activity) }
        guard let push = deliveredPush,
            let presentation = entry.presentation ?? plainPresentation(of: push, payload: payload)
        else { return nil }
        let ownMembers = [
            JSONMember("badge", .whole(presentation.content.badge)), JSONMember("reason", .string(presentation.reason)),
        ]
        guard presentation.isShown else {
            return .object(ownMembers + [JSONMember("sound", presentation.content.sound?.json ?? .null)])
        }
        let notification =
            ScreenNotification(push: push, presentation: presentation)
            .read(isLocked: presentation.wasLocked).json.object ?? []
        return .object(notification.filter { $0.name != "updatedAt" && $0.name != "warnings" } + ownMembers)
    }

    // The activity that the push changed, and its alert's texts and sound. Only filters read it; ``FilterDocument``
    // knows its members.
    private func screen(of activity: LiveActivity) -> JSONValue {
        let presentation = entry.presentation
        return [
            "activities": [activity.jsonOfPush], "title": .text(presentation?.content.title),
            "subtitle": .text(presentation?.content.subtitle), "body": .text(presentation?.content.body),
            "banner": presentation?.place == .banner && presentation?.isOnWatch == false ? ["actions": []] : .null,
            "lockScreen": .bool(presentation?.place == .lockScreen),
            "onWatch": .bool(presentation?.isOnWatch ?? false),
            "sound": presentation?.content.sound?.json ?? .null, "badge": .null,
            "reason": .text(entry.timeline?.last { $0.event == "shown" }?.detail),
        ]
    }

    /// What the user heard when it arrived, with an alert or without; `nil` for silence.
    package func sound(payload: JSONValue?) -> NotificationSound? {
        guard entry.outcome == .delivered else { return nil }
        if let presentation = entry.presentation { return presentation.content.sound }
        guard entry.web == nil, payload?["aps"]?["sound"] != nil, let push = deliveredPush else { return nil }
        return plainPresentation(of: push, payload: payload)?.content.sound
    }

    // `nil` for a push that has not arrived, or has no topic.
    private var deliveredPush: DeliveredPush? {
        guard entry.outcome == .delivered, let topic else { return nil }
        return DeliveredPush(
            sequence: entry.sequence, notificationID: entry.notificationID, topic: topic, collapseID: collapseID,
            deliveredAt: deliveredAt)
    }

    // For a device without a screen, where the payload alone decides what is shown.
    private func plainPresentation(of push: DeliveredPush, payload: JSONValue?) -> Presentation? {
        let sent = givenPushType.flatMap { PushType(rawValue: $0) }
        guard entry.web == nil, entry.shown == nil,
            PushKind(sent: sent, topic: Array(push.topic.utf8).span, payload: payload) == .alert
        else { return nil }
        return Presentation(of: payload, push: push, app: AppPresentation(), locale: DeviceTraits().locale)
    }
}

extension Entry.TimelineEvent {
    package var json: JSONValue { .object(Entry.TimelineEvent.fields.members(of: self)) }

    static let fields: Fields<Entry.TimelineEvent> = [
        Field(shown: "at", .time, "When it happened, by the clock of the server or of the device's scope.") {
            .string($0.at.rfc3339)
        },
        Field(shown: "event", .anyText, "What happened.") { .string($0.event) },
        Field(shown: "detail", .nullableText.described("More about it, if there is more to say.")) {
            .text($0.detail)
        },
    ]
}
