package import APNsRules

/// A notification that is on a device's screen.
package struct ScreenNotification: Sendable, Hashable {
    /// The push that it shows; of several that replaced each other the newest.
    package internal(set) var push: DeliveredPush
    /// What it shows.
    package internal(set) var presentation: Presentation
    /// When it first appeared.
    package let shownAt: Instant
    /// When it was last replaced in place; `nil` when it never was.
    package internal(set) var updatedAt: Instant?
    // Higher is further up; unique on its screen.
    var rank: UInt64

    /// What it is grouped by: its thread within its app, else its app.
    package var group: Group { Group(topic: push.topic, threadID: presentation.threadID) }

    /// Notifications that lie on each other.
    package struct Group: Sendable, Hashable {
        /// The app.
        package let topic: String
        /// `thread-id`, or `nil` for all of the app that have none.
        package let threadID: String?
    }

    /// The notification as `GET …/screen` prints it (`Documents#Devices`).
    package var json: JSONValue {
        [
            "sequence": .number(JSONNumber(push.sequence)),
            "apnsId": .string(push.notificationID.text),
            "topic": .string(push.topic),
            "title": .text(presentation.title),
            "subtitle": .text(presentation.subtitle),
            "body": .text(presentation.body),
            "sound": presentation.sound?.json ?? .null,
            "threadId": .text(presentation.threadID),
            "category": .text(presentation.category),
            "actions": ScreenNotification.json(of: presentation.actions),
            "interruptionLevel": .string(presentation.interruptionLevel.rawValue),
            "relevanceScore": .fraction(presentation.relevanceScore),
            "collapseId": .text(push.collapseID),
            "mutableContent": .string(presentation.mutableContent.rawValue),
            "shownAt": .string(shownAt.rfc3339),
            "updatedAt": .text(updatedAt?.rfc3339),
            "group": .string(presentation.threadID ?? push.topic),
            "banner": presentation.place == .banner
                ? ["actions": ScreenNotification.json(of: presentation.bannerActions)] : .null,
            "attachments": .array(presentation.attachments.map { .string($0) }),
            "details": .object(presentation.details),
            "warnings": .array(presentation.warnings.map { .string($0) }),
        ]
    }

    private static func json(of actions: [NotificationCategory.Action]) -> JSONValue {
        .array(actions.map { ["id": .string($0.id), "title": .string($0.title)] })
    }
}
