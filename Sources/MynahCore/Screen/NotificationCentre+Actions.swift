package import APNsRules

extension NotificationCentre {
    /// What follows from an action.
    package struct OnPerform: Sendable, Hashable {
        /// What the app is told; `nil` for a dismissal that its category does not ask for.
        package let response: AppResponse?
        /// Whether the app comes to the foreground; the caller changes its state.
        package let opensApp: Bool
        /// The app.
        package let topic: String
    }

    /// The user opens a notification, dismisses it, or chooses an action; it leaves the screen.
    ///
    /// - Parameters:
    ///   - action: `default`, `dismiss`, Apple's identifiers of the two, or the id of an action that is shown.
    ///   - text: What the user types, for an action that takes a text, and only for one.
    /// - Throws: ``ActionFailure``.
    package mutating func perform(
        _ action: String, text: String? = nil, on sequence: UInt64, at now: Instant
    ) throws(ActionFailure) -> OnPerform {
        settle(at: now)
        guard let index = shown.firstIndex(where: { $0.push.sequence == sequence }) else {
            throw .notOnScreen(sequence)
        }
        let notification = shown[index]
        let identifier: String
        var opensApp = false
        var takesText = false
        var isReported = true
        switch action {
        case NotificationAction.opened, NotificationAction.openedIdentifier:
            identifier = NotificationAction.openedIdentifier
            opensApp = true
        case NotificationAction.dismissed, NotificationAction.dismissedIdentifier:
            identifier = NotificationAction.dismissedIdentifier
            isReported = notification.presentation.reportsDismissal
        default:
            guard let own = notification.presentation.actions.first(where: { $0.id == action }) else {
                let allowed = [NotificationAction.opened, NotificationAction.dismissed]
                throw .refused(
                    .unknown(
                        "action", action, at: "/action", among: allowed + notification.presentation.actions.map(\.id)))
            }
            identifier = own.id
            opensApp = own.opensApp
            takesText = own.takesText
        }
        if text != nil, !takesText {
            throw .refused(InputError(at: "/text", "the action \(action) takes no text"))
        }
        if text == nil, takesText {
            throw .refused(InputError(at: "/text", "the action \(action) takes a text: expected one"))
        }
        shown.remove(at: index)
        let topic = notification.push.topic
        let response = AppResponse(sequence: sequence, topic: topic, action: identifier, text: text, at: now)
        if isReported { keep(response) }
        return OnPerform(response: isReported ? response : nil, opensApp: opensApp, topic: topic)
    }

    private mutating func keep(_ response: AppResponse) {
        responses.append(response)
        guard responses.count > NotificationCentre.responsesMax else { return }
        responses.removeFirst()
        evicted += 1
    }

    /// The app takes a notification back; answers whether it was there.
    package mutating func remove(_ sequence: UInt64, at now: Instant) -> Bool {
        settle(at: now)
        guard let index = shown.firstIndex(where: { $0.push.sequence == sequence }) else { return false }
        shown.remove(at: index)
        return true
    }

    /// The user clears an app's notifications; answers how many there were.
    ///
    /// Nothing is reported to the app (inferred), and what is not shown yet still comes.
    package mutating func clear(_ topic: String, at now: Instant) -> Int {
        settle(at: now)
        let before = shown.count
        shown.removeAll { $0.push.topic == topic }
        return before - shown.count
    }

    /// The app sets the number on its icon; 0 and less removes it.
    package mutating func setBadge(_ count: Int64, of topic: String, at now: Instant) {
        settle(at: now)
        badgesByTopic[topic] = count > 0 ? count : nil
    }

    /// The app is deleted, and with it all that it shows, counts and was told.
    package mutating func uninstall(_ topic: String) {
        shown.removeAll { $0.push.topic == topic }
        awaited.removeAll { $0.push.topic == topic }
        badgesByTopic[topic] = nil
        responses.removeAll { $0.topic == topic }
    }
}
