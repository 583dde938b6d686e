package import APNsRules

/// The facts of a push that reached the device, beside its payload.
package struct DeliveredPush: Sendable, Hashable {
    /// Its number in the journal.
    package let sequence: UInt64
    /// Its `apns-id`.
    package let notificationID: NotificationID
    /// The app: its topic, without a suffix.
    package let topic: String
    /// Its `apns-collapse-id`, which becomes the notification's identifier.
    package let collapseID: String?
    /// When it reached the device, on the device's clock.
    package let deliveredAt: Instant

    /// The facts of a push.
    package init(
        sequence: UInt64, notificationID: NotificationID, topic: String, collapseID: String?, deliveredAt: Instant
    ) {
        self.sequence = sequence
        self.notificationID = notificationID
        self.topic = topic
        self.collapseID = collapseID
        self.deliveredAt = deliveredAt
    }
}

/// What happens on a device when an alert push arrives: what the user reads, hears and sees counted
/// (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`).
///
/// Decided once, from the payload and the state of app and device at that moment, for the moment ``shownAt``:
/// a service extension takes time, and until it is over nothing is shown.
package struct Presentation: Sendable, Hashable {
    /// What a service extension did.
    package enum MutableContent: String, Sendable {
        /// There was none, or nothing for it to do.
        case none
        /// It rewrote the payload.
        case modified
        /// It did not finish; the original is shown.
        case timedOut
    }

    /// Where the notification goes.
    package enum Place: Sendable, Hashable {
        /// Nowhere; the badge and the sound may still change.
        case hidden
        /// Into the list, without lighting up.
        case list
        /// Into the list with a banner.
        case banner
    }

    /// Where it goes.
    package internal(set) var place = Place.hidden
    /// Why, as a sentence for the push's timeline in the journal.
    package internal(set) var reason = ""
    /// When all of this happens; the moment of delivery unless a service extension runs.
    package internal(set) var shownAt: Instant
    /// The bold line.
    package internal(set) var title: String?
    /// The line under it.
    package internal(set) var subtitle: String?
    /// The text.
    package internal(set) var body: String?
    /// What becomes of the number on the app's icon.
    package internal(set) var badge = BadgeChange.unchanged
    /// What is heard; `nil` is silence.
    package internal(set) var sound: NotificationSound?
    /// What it is grouped by within its app.
    package internal(set) var threadID: String?
    /// `aps.category`, whether the app knows it or not.
    package internal(set) var category: String?
    /// The category's actions in the list, four at most.
    package internal(set) var actions: [NotificationCategory.Action] = []
    /// Whether the app is told of a dismissal.
    package internal(set) var reportsDismissal = false
    /// How much it may disturb, after the app's permissions.
    package internal(set) var interruptionLevel = InterruptionLevel.active
    /// Its place in the summary, 0 to 1, the higher the further up.
    package internal(set) var relevanceScore: Double?
    /// What a service extension did.
    package internal(set) var mutableContent = MutableContent.none
    /// The addresses that a service extension attached; they are not fetched.
    package internal(set) var attachments: [String] = []
    /// What is kept without effect: `launchImage`, `actionLocKey`, `urlArgs`, `targetContentId`, `filterCriteria`.
    package internal(set) var details: [JSONMember] = []
    /// What in payload, app or strings is not as it should be, a sentence each.
    package internal(set) var warnings: [String] = []
    /// Whether the app, which is in the foreground, gets the payload at once (archived).
    package internal(set) var reachesApp = false
    /// Whether the app is woken as well, by `content-available` (archived).
    package internal(set) var wakesApp = false

    init(shownAt: Instant) {
        self.shownAt = shownAt
    }

    /// Whether the user sees a notification.
    package var isShown: Bool { place != .hidden }

    /// The actions in a banner, two at most; none without one.
    package var bannerActions: [NotificationCategory.Action] {
        place == .banner ? Array(actions.prefix(NotificationCategory.bannerActionsMax)) : []
    }
}
