internal import APNsRules

/// A notification as the user reads it, on a device that is locked or not.
package struct ReadNotification: Sendable {
    let notification: ScreenNotification
    let content: NotificationContent
    /// Whether title, subtitle, body, sender and attachments are hidden.
    let isPreviewHidden: Bool
    private var presentation: Presentation { notification.presentation }

    init(notification: ScreenNotification, content: NotificationContent, isPreviewHidden: Bool) {
        self.notification = notification
        self.content = content
        self.isPreviewHidden = isPreviewHidden
    }

    /// The notification as `GET …/screen` prints it (`Documents#Screen`).
    var json: JSONValue { .object(ReadNotification.fields.members(of: self)) }

    package static let fields: Fields<ReadNotification> = texts + handling + places
    /// The members of an action that a notification offers.
    package static let actionSchema = NotificationCategory.Action.shownFields.showing

    private static let texts: Fields<ReadNotification> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.notification.push.sequence) },
        Field(shown: "apnsId", .anyText, "The push's apns-id.") {
            .string($0.notification.push.notificationID.text)
        },
        Field(shown: "identifier", .anyText, "The collapse id, without one the apns-id.") {
            .string($0.notification.identifier)
        },
        Field(shown: "topic", .anyText, "The topic.") { .string($0.notification.push.topic) },
        Field(
            shown: "title", .nullableText, "null for an alert that is a string: its text is the body."
        ) { .text($0.content.title) },
        Field(shown: "subtitle", .nullableText, "The second line; null for none.") { .text($0.content.subtitle) },
        Field(shown: "body", .nullableText, "The text; null for none.") { .text($0.content.body) },
        Field(
            shown: "previewHidden", .bool, "Whether title, subtitle, body, sender and attachments are hidden."
        ) { .bool($0.isPreviewHidden) },
        Field(
            shown: "sound", .nullable(.object(NotificationSound.fields.showing)), "What was heard; null for silence."
        ) { $0.content.sound?.json ?? .null },
    ]

    private static let handling: Fields<ReadNotification> = [
        Field(shown: "threadId", .nullableText, "The thread-id of the payload; null for none.") {
            .text($0.content.threadID)
        },
        Field(shown: "category", .nullableText, "The category of the payload; null for none.") {
            .text($0.content.category)
        },
        Field(shown: "actions", actions, "The actions that it offers.") { .array($0.content.actions.map(\.json)) },
        Field(
            shown: "actionTitle", .nullableText, "The button that opens the app, by action-loc-key; null for none."
        ) { .text($0.content.actionTitle) },
        Field(shown: "interruptionLevel", .choice(InterruptionLevel.self), "How urgent it is.") {
            .string($0.content.interruptionLevel.rawValue)
        },
        Field(
            shown: "relevanceScore", .nullable(.number),
            "The score by which it is sorted, the highest first; null for none."
        ) { .fraction($0.content.relevanceScore) },
        Field(shown: "collapseId", .nullableText, "The push's apns-collapse-id; null for none.") {
            .text($0.notification.push.collapseID)
        },
        Field(
            shown: "mutableContent", .choice(Presentation.MutableContent.self),
            "What the app's service extension did with it."
        ) { .string($0.presentation.mutableContent.rawValue) },
        Field(shown: "shownAt", .time, "When it appeared, by the device's clock.") {
            .string($0.notification.shownAt.rfc3339)
        },
        Field(shown: "updatedAt", .nullable(.time), "When a newer push replaced its content; null if none has.") {
            .text($0.notification.updatedAt?.rfc3339)
        },
        Field(shown: "group", .anyText, "The thread, or the app.") {
            .string($0.content.threadID ?? $0.notification.push.topic)
        },
    ]

    private static let places: Fields<ReadNotification> = [
        Field(
            shown: "banner",
            .nullable(.object([Member("actions", actions, summary: "The actions that the banner offers.")])),
            "The banner over the screen; null without one."
        ) { read in
            guard read.presentation.place == .banner, !read.presentation.isOnWatch else { return .null }
            return ["actions": .array(read.presentation.bannerActions.map(\.json))]
        },
        Field(shown: "alertStyle", .nullable(.choice(["banner", "alert"])), "null without a banner.") {
            .text($0.presentation.isOnWatch ? nil : $0.presentation.alertStyle?.rawValue)
        },
        Field(shown: "lockScreen", .bool, "Whether the device was locked, and showed it.") {
            .bool($0.presentation.place == .lockScreen)
        },
        Field(shown: "notificationCenter", .bool, "Whether it is in the list.") {
            .bool($0.presentation.isListed)
        },
        Field(shown: "onWatch", .bool, "Whether the banner is on the paired watch instead.") {
            .bool($0.presentation.isOnWatch)
        },
        Field(shown: "sender", .nullableText, "Who sent it, in place of the app's name; null for nobody.") {
            .text($0.isPreviewHidden ? nil : $0.presentation.sender)
        },
        Field(shown: "attachments", .array(of: .anyText), "The attachments that it shows.") {
            .texts($0.isPreviewHidden ? [] : $0.presentation.attachments)
        },
        Field(shown: "details", .map(of: .any()), "Further content of its kind of push.") {
            .object($0.content.details)
        },
        Field(shown: "warnings", .array(of: .anyText), "What is unusual without being refused, a sentence each.") {
            .texts($0.content.warnings)
        },
    ]

    private static let actions = Form.array(of: .named("ShownAction", .object(actionSchema)))
}
