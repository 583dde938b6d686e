package import APNsRules

// What the user saw of a push, for filters and expectations (`Documents#Devices`: `screen`).
extension PushView {
    /// The names of ``screen(payload:)``, for error messages.
    static let screenMemberNames =
        ["badge", "reason"]
        + (ScreenNotification(
            push: DeliveredPush(
                sequence: 0, notificationID: NotificationID(generated: 0), topic: "", collapseID: nil,
                deliveredAt: Instant(milliseconds: 0)),
            presentation: Presentation(shownAt: Instant(milliseconds: 0)), shownAt: Instant(milliseconds: 0), rank: 0
        ).json.object ?? []).map(\.name).filter { $0 != "updatedAt" && $0 != "warnings" }

    /// What the push did to the device's screen when it came: the notification as `GET …/screen` prints it, the
    /// `badge` that it set (0 where it took the number away, `null` where it left it), and the `reason`, in words.
    ///
    /// It stays so when the user dismisses the notification or another one takes its place. Of a push that is not
    /// shown there are only `badge`, `sound` and `reason`. `nil` for a push that has not arrived, that is not for the
    /// user, or whose service extension still runs.
    ///
    /// - Parameter payload: ``payload``, which the caller mostly has parsed already.
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

    // A device keeps no screen until more than the payloads decides what is on it; what one without shows can be
    // worked out at any time, and is not what the journal has to remember.
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
