internal import APNsRules

/// What the user of one device sees, and what its apps were told, as `GET …/screen` prints it (`Documents#Screen`).
package struct ScreenView: Sendable {
    // A copy of the notification centre in which nothing is due.
    private let centre: NotificationCentre
    private let at: Instant
    private let groups: [NotificationGroup]
    private let activities: [LiveActivity]
    private let wakes: [WakeView]
    private let evicted: UInt64

    /// - Parameter evicted: What is missing besides what the screen itself has dropped.
    init(
        _ centre: NotificationCentre, at now: Instant, isLocked: Bool = false, activities: [LiveActivity] = [],
        wakes: [WakeView] = [], evicted: UInt64 = 0
    ) {
        self.centre = centre.settled(at: now)
        at = now
        groups = centre.groups(at: now).map { NotificationGroup($0, isLocked: isLocked) }
        self.activities = activities
        self.wakes = wakes
        self.evicted = self.centre.evicted + evicted
    }

    var json: JSONValue { .object(ScreenView.fields.members(of: self)) }

    package static let fields: Fields<ScreenView> = notifications + told

    private static let notifications: Fields<ScreenView> = [
        Field(shown: "at", .time, "The time of the screen, by the device's clock.") { .string($0.at.rfc3339) },
        Field(shown: "badges", .map(of: .whole), "By topic, the number on the app's icon.") { screen in
            .object(sorting: screen.centre.badges(at: screen.at)) { .whole($0) }
        },
        Field(
            shown: "notifications", .list("ScreenNotification"), "The top of the screen first."
        ) { .array($0.groups.flatMap(\.notifications).map(\.json)) },
        Field(
            shown: "groups", .list("NotificationGroup"),
            "The stacks of notifications, the top of the screen first."
        ) { .array($0.groups.map(\.json)) },
        Field(
            shown: "summary", .array(of: .whole),
            "The notifications that came in a scheduled summary, by sequence, the most relevant first."
        ) { screen in .array(screen.centre.summary(at: screen.at).map { .whole($0.push.sequence) }) },
        Field(
            shown: "held", .array(of: .object(ScreenNotification.heldFields.showing)),
            "What waits for the scheduled summary."
        ) { screen in
            .array(screen.centre.held(at: screen.at).map { .object(ScreenNotification.heldFields.members(of: $0)) })
        },
        Field(
            shown: "activities", .list("LiveActivity"),
            "The Live Activities on the screen, the most relevant first, of equally relevant ones the newest."
        ) { .array($0.activities.map(\.json)) },
    ]

    private static let told: Fields<ScreenView> = [
        Field(
            shown: "wakes", .list("Wake"), "What woke apps in the background, oldest first."
        ) { .array($0.wakes.map(\.json)) },
        Field(
            shown: "responses", .list("AppResponse"),
            "The user's choices that apps were told of, oldest first."
        ) { .array($0.centre.responses.map(\.json)) },
        Field(shown: "sounds", .list("PlayedSound"), "What was heard, oldest first.") {
            .array($0.centre.sounds.map(\.json))
        },
        Field(
            shown: "evicted", .whole,
            "Notifications, wakes, responses and sounds replaced by newer ones, or evicted before the first look."
        ) { .whole($0.evicted) },
    ]
}

/// Notifications that are stacked on the screen of a device that is locked or not, the newest first.
package struct NotificationGroup: Sendable {
    let notifications: [ReadNotification]

    fileprivate init(_ notifications: [ScreenNotification], isLocked: Bool) {
        self.notifications = notifications.map { $0.read(isLocked: isLocked, groupCount: notifications.count) }
    }

    fileprivate var json: JSONValue { .object(NotificationGroup.fields.members(of: self)) }

    package static let fields: Fields<NotificationGroup> = [
        Field(shown: "topic", .anyText, "The topic.") { .text($0.notifications.first?.notification.push.topic) },
        Field(shown: "threadId", .nullableText.described("The thread-id of the payload.")) {
            .text($0.notifications.first?.content.threadID)
        },
        Field(shown: "count", .whole, "How many notifications it has.") { .whole($0.notifications.count) },
        Field(shown: "sequences", .array(of: .whole), "The newest first.") { group in
            .array(group.notifications.map { .whole($0.notification.push.sequence) })
        },
        Field(shown: "summary", .nullableText.described("The line below a group of several.")) { group in
            .text(group.notifications.first?.content.groupSummary(group.notifications.dropFirst().map(\.content)))
        },
    ]
}

extension ScreenNotification {
    /// The members of one that waits for the scheduled summary.
    fileprivate static let heldFields: Fields<ScreenNotification> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.push.sequence) },
        Field(shown: "topic", .anyText, "The topic.") { .string($0.push.topic) },
        Field(shown: "until", .time, "When the summary comes.") { .string($0.shownAt.rfc3339) },
    ]
}

/// A wake of an app, as the screen shows it at a time.
package struct WakeView: Sendable {
    let topic: String
    let wake: Wake
    // When the app ended, and its answer; `nil` while it runs.
    private let end: (at: Instant, result: WakeResult?)?

    init(_ wake: Wake, of topic: String, at now: Instant) {
        self.topic = topic
        self.wake = wake
        end = wake.end(by: now)
    }

    /// How far the app has come.
    private enum State: String, CaseIterable {
        case running
        case finished
        /// After ``Wake/runningTimeMax``, without an answer.
        case stopped
    }

    private var state: State {
        guard let end else { return .running }
        return end.result == nil ? .stopped : .finished
    }

    var json: JSONValue { .object(WakeView.fields.members(of: self)) }

    package static let fields: Fields<WakeView> = [
        Field(shown: "topic", .anyText, "The topic.") { .string($0.topic) },
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.wake.sequence) },
        Field(shown: "at", .time, "When it happened, by the clock of the server or of the device's scope.") {
            .string($0.wake.at.rfc3339)
        },
        Field(shown: "state", .choice(State.self), "Its state.") { .string($0.state.rawValue) },
        Field(shown: "result", .nullable(.choice(WakeResult.self)), "What the app answered; null until then.") {
            .text($0.end?.result?.rawValue)
        },
        Field(shown: "endedAt", .nullable(.time), "When it ended; null until then.") {
            .text($0.end?.at.rfc3339)
        },
    ]
}
