package import APNsRules

extension PushView {
    /// What the push did to the device's screen when it arrived, for filters and expectations (`Documents#Screen`): the
    /// notification as `GET …/screen` prints it, the `badge` that it set (0 if it removed the number, `null` if it left
    /// it), and the `reason` in words.
    ///
    /// It stays the same when the notification is dismissed or replaced. A push that is not shown has only `badge`,
    /// `sound` and `reason`. `nil` for a push that has not arrived, that is not for the user, or whose service
    /// extension still runs.
    package func screen(payload: JSONValue?) -> JSONValue? {
        guard entry.outcome == .delivered, let topic else { return nil }
        let push = DeliveredPush(
            sequence: entry.sequence, notificationID: entry.notificationID, topic: topic, collapseID: collapseID,
            deliveredAt: deliveredAt)
        guard let presentation = entry.presentation.value ?? plainPresentation(of: push, payload: payload) else {
            return nil
        }
        let badge: JSONValue =
            switch presentation.badge {
            case .unchanged: .null
            case .removed: 0
            case .set(let count): .number(JSONNumber(count))
            }
        let ownMembers = [JSONMember("badge", badge), JSONMember("reason", .string(presentation.reason))]
        guard presentation.isShown else {
            return .object(ownMembers + [JSONMember("sound", presentation.sound?.json ?? .null)])
        }
        let notification = ScreenNotification(
            push: push, presentation: presentation, shownAt: presentation.shownAt, updatedAt: nil, rank: 0)
        return .object(
            (notification.json.object ?? []).filter { $0.name != "updatedAt" && $0.name != "warnings" } + ownMembers)
    }

    // For a device without a screen, where the payload alone decides what is shown.
    private func plainPresentation(of push: DeliveredPush, payload: JSONValue?) -> Presentation? {
        guard entry.shown == nil else { return nil }
        let kind = InboxKind(
            pushType: givenPushType.flatMap { PushType(rawValue: $0) }, topic: Array(push.topic.utf8).span,
            payload: payload)
        guard kind.isPresented else { return nil }
        return Presentation(
            of: payload, push: push, app: AppPresentation(),
            on: ScreenSurroundings(locale: DeviceTraits().locale))
    }
}
