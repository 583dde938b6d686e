internal import APNsRules

/// The facts of a push that reached the device, besides its payload.
struct DeliveredPush: Sendable, Hashable {
    let sequence: UInt64
    let notificationID: NotificationID
    /// The app's topic, without a suffix.
    let topic: String
    /// `apns-collapse-id`, which becomes the notification's identifier.
    let collapseID: String?
    /// By the device's clock.
    let deliveredAt: Instant
}

/// What the user reads and hears when an alert push arrives, and what becomes of the badge
/// (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`).
///
/// Decided once, on delivery, from the payload and the state of app and device. It takes effect at ``shownAt``: until a
/// service extension has finished, nothing is shown.
struct Presentation: Sendable, Hashable {
    /// What a service extension did.
    enum MutableContent: String, Sendable {
        /// There was no extension, or nothing for it to do.
        case none
        case modified
        /// It didn't finish in time; the original is shown.
        case timedOut
    }

    enum Place: Sendable, Hashable {
        case hidden
        /// In the list, without lighting up.
        case list
        case banner
    }

    /// What is shown; sound and badge only if they get through, which they may even if the notification is hidden.
    var content = NotificationContent()
    var place = Place.hidden
    /// Why, a sentence for the push's timeline in the journal.
    private(set) var reason = ""
    private(set) var shownAt: Instant
    private(set) var mutableContent = MutableContent.none
    /// The addresses that a service extension attached; they are not fetched.
    private(set) var attachments: [String] = []
    /// Whether the app gets the payload at once, because it is in the foreground (archived).
    private(set) var reachesApp = false
    /// Whether `content-available` wakes the app as well (archived).
    private(set) var wakesApp = false
    init(shownAt: Instant) { self.shownAt = shownAt }
    var isShown: Bool { place != .hidden }

    var bannerActions: [NotificationCategory.Action] {
        place == .banner ? Array(content.actions.prefix(NotificationCategory.bannerActionsMax)) : []
    }

    var outcome: ShownOutcome { ShownOutcome(isShown: isShown, at: shownAt, reason: reason, presentation: Boxed(self)) }

    /// Decides what a device shows of a payload, which is `nil` if it isn't JSON; `locale` is the user's language and
    /// region: `en-GB`, `pt_BR`.
    init(of payload: JSONValue?, push: DeliveredPush, app: AppPresentation, locale: String, focus: Focus? = nil) {
        self.init(shownAt: push.deliveredAt)
        guard let payload, let aps = payload["aps"], aps.object != nil else {
            hide(Presentation.problem(of: payload))
            return
        }
        content = NotificationContent(aps, topic: push.topic, app: app, locale: locale)
        reachesApp = app.appState == .foreground
        wakesApp = content.isContentAvailable && app.appState != .forceQuit
        if content.isMutable, content.hasText, app.permissions.alert, app.permissions.allowsNotifications,
            let service = app.serviceExtension
        {
            extend(payload, by: service) { NotificationContent($0, topic: push.topic, app: app, locale: locale) }
        }
        decidePlace(topic: push.topic, app: app, focus: focus)
        if !isShown { content.actions = [] }
    }

    private static func problem(of payload: JSONValue?) -> String {
        guard let payload else { return "the payload is not JSON" }
        guard payload.object != nil else { return "the payload is \(payload.kind): expected an object" }
        guard let aps = payload["aps"] else { return "the payload has no aps" }
        return "aps is \(aps.kind): expected an object"
    }

    // What the service extension makes of the content (`DeviceBehaviour#The-service-extension`).
    private mutating func extend(
        _ payload: JSONValue, by service: ServiceExtension, read: (_ aps: JSONValue) -> NotificationContent
    ) {
        guard !service.timesOut else {
            mutableContent = .timedOut
            shownAt = shownAt.advanced(by: ServiceExtension.timeMax)
            return warnFirst(["the service extension did not finish within 30 s; the original is shown"])
        }
        shownAt = shownAt.advanced(by: service.takes)
        let rewritten = payload.mergePatched(with: service.rewrite)
        let changed = read(rewritten["aps"] ?? .null)
        // The system discards what has no text left (inferred: an extension can't silence a notification).
        guard changed.hasText else { return warnFirst(["the service extension left no text; the original is shown"]) }
        content = changed
        mutableContent = .modified
        let attached = service.attachments(in: rewritten)
        attachments = attached.found
        warnFirst(attached.warnings)
    }

    private mutating func warnFirst(_ warnings: [String]) { content.warnings = warnings + content.warnings }

    // Permissions, foreground, interruption level and Focus (`DeviceBehaviour#What-the-user-sees`).
    private mutating func decidePlace(topic: String, app: AppPresentation, focus: Focus?) {
        let permissions = app.permissions
        func getsThrough(_ part: ForegroundOption, ifPermitted isPermitted: Bool) -> Bool {
            isPermitted && permissions.authorization == .authorized
                && (app.appState != .foreground || app.presentInForeground.contains(part))
        }
        if !getsThrough(.badge, ifPermitted: permissions.badge) { content.badge = nil }
        if !getsThrough(.sound, ifPermitted: permissions.sound) { content.sound = nil }
        place = .banner
        reason = mutableContent == .modified ? "shown as the service extension rewrote it" : "shown"
        switch permissions.authorization {
        case .notDetermined: return hide("the app has not asked the user for permission")
        case .denied: return hide("the user has turned the app's notifications off")
        // Without sound, banner or badge (documented).
        case .provisional: quieten("the app's permission is provisional")
        case .authorized:
            if let focus, let criteria = content.filterCriteria,
                app.focusFilter?[focus.name]?.contains(criteria) == false
            {
                hide("the Focus filter of the app does not let \(criteria) through")
                content.sound = nil
            }
            applyLevel(focus.flatMap { $0.allowedApps.contains(topic) ? nil : $0.name })
        }
        if !content.hasAlert {
            hide("the payload has no alert")
        } else if !content.hasText {
            hide("the alert has no text")
        } else if !permissions.alert {
            hide("the user has turned the app's alerts off")
        }
        if app.appState == .foreground { applyForeground(app.presentInForeground) }
    }

    private mutating func hide(_ why: String) {
        place = .hidden
        reason = "not shown: \(why)"
    }

    private mutating func quieten(_ why: String) {
        guard place == .banner else { return }
        place = .list
        reason = "shown in the list only: \(why)"
    }

    // `focus` is the active Focus, unless it lets the app through.
    private mutating func applyLevel(_ focus: String?) {
        switch content.interruptionLevel {
        case .passive:
            quieten("its interruption level is passive")
            content.sound = nil
        case .active:
            guard let focus else { return }
            quieten("the Focus \(focus) is on")
            // A critical sound is heard through Focus whatever the level says.
            if content.sound?.isCritical == false { content.sound = nil }
        case .timeSensitive, .critical:
            guard let focus, place == .banner else { return }
            reason = "shown through the Focus \(focus): it is \(content.interruptionLevel.rawValue)"
        }
    }

    // A banner without the list stays on the simulated screen as one: a test could not see it otherwise (inferred).
    private mutating func applyForeground(_ options: Set<ForegroundOption>) {
        switch (place, options.contains(.banner), options.contains(.list)) {
        case (.hidden, _, _): return
        case (.banner, true, _): reason += ", as the app in the foreground asked"
        case (_, _, true): quieten("the app is in the foreground and asked for no banner")
        case (_, true, _): hide("it goes into the list only, and the app in the foreground asked for a banner only")
        case (_, false, false): hide("the app is in the foreground and asked for neither a banner nor the list")
        }
    }
}

/// Whether the user saw a push, and why.
package struct ShownOutcome: Sendable, Equatable {
    let isShown: Bool
    /// Whether a service extension still runs, so that ``at`` is to come and another outcome follows.
    var isAwaited = false
    let at: Instant
    let reason: String
    /// Absent if nothing is presented, or not yet.
    var presentation = Boxed<Presentation>()
}
