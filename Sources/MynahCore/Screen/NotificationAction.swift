package import APNsRules

/// What the user does with a notification, by the names of the control API and of Apple
/// (`DeviceBehaviour#What-the-user-sees`).
package enum NotificationAction {
    /// The user opened it.
    package static let opened = "default"
    /// The user dismissed it.
    package static let dismissed = "dismiss"
    /// What the app gets for ``opened``.
    package static let openedIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// What the app gets for ``dismissed``.
    package static let dismissedIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// What no action of an app may be called.
    static let reservedNames = [opened, dismissed, openedIdentifier, dismissedIdentifier]
}

/// What an app is told of the user's choice.
package struct AppResponse: Sendable, Hashable {
    /// The notification's number in the journal.
    package let sequence: UInt64
    /// The app.
    package let topic: String
    /// The action's identifier: one of Apple's two, or the category's own.
    package let action: String
    /// What the user typed; `nil` for an action without text.
    package let text: String?
    /// When.
    package let at: Instant

    /// A response.
    package init(sequence: UInt64, topic: String, action: String, text: String?, at: Instant) {
        self.sequence = sequence
        self.topic = topic
        self.action = action
        self.text = text
        self.at = at
    }

    /// The response as the control API prints it.
    package var json: JSONValue {
        [
            "sequence": .number(JSONNumber(sequence)), "topic": .string(topic), "action": .string(action),
            "text": .text(text), "at": .string(at.rfc3339),
        ]
    }
}

/// Why an action was not performed.
package enum ActionFailure: Error, Equatable, Sendable {
    /// No notification of this number is on the screen; 404.
    case notOnScreen(UInt64)
    /// The notification has no such action, or not with such a text; 400.
    case refused(InputError)
}
