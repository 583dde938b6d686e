internal import APNsRules

/// The facts of a push that reached the device, besides its payload.
struct DeliveredPush: Sendable, Hashable {
    let sequence: UInt64
    let notificationID: NotificationID
    /// The app's topic, without a suffix.
    let topic: String
    /// `apns-collapse-id`, which becomes the notification's identifier.
    let collapseID: String?
    /// When the push was delivered, by the device's clock.
    let deliveredAt: Instant
}

/// What the user reads and hears when an alert push arrives, and what becomes of the badge
/// (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`).
///
/// Decided once, on delivery, from the payload and the state of app and device. It takes effect at ``shownAt``: until a
/// service extension has finished, nothing is shown.
struct Presentation: Sendable, Hashable {
    /// What a service extension did.
    enum MutableContent: String, CaseIterable, Sendable {
        /// The app has no service extension, or it had nothing to do.
        case none
        case modified
        /// The service extension didn't finish in time; the original is shown.
        case timedOut
    }

    enum Place: UInt8, Sendable {
        case hidden = 0
        /// In the list, without lighting up.
        case list = 1
        /// On the lock screen, on a device that is locked.
        case lockScreen = 2
        /// As a banner, on a device that is in use, or on its watch.
        case banner = 3
    }

    /// What is shown; sound and badge only if they get through, which they may even if the notification is hidden.
    var content = NotificationContent()
    var place = Place.hidden
    /// Why, a sentence for the push's timeline in the journal.
    private(set) var reason = ""
    private(set) var shownAt: Instant
    private(set) var mutableContent = MutableContent.none
    /// Whether the notification stays in the list.
    private(set) var isListed = true
    /// `nil` without a banner.
    private(set) var alertStyle: NotificationPermissions.AlertStyle?
    private(set) var showPreviews = NotificationPermissions.ShowPreviews.always
    /// Whether the device was locked when it arrived.
    private(set) var wasLocked = false
    /// Whether the banner is on the paired watch instead of the device.
    private(set) var isOnWatch = false
    /// Whether the notification waits for the scheduled summary.
    private(set) var isInSummary = false
    /// Whose name it has in place of the app's: a communication notification's, from a service extension.
    private(set) var sender: String?
    /// The addresses that a service extension attached; they are not fetched.
    private(set) var attachments: [String] = []
    /// Whether the app gets the payload at once, because it is in the foreground (archived).
    private(set) var reachesApp = false
    /// Whether `content-available` wakes the app as well (archived).
    private(set) var wakesApp = false
    var isShown: Bool { place != .hidden }
    private var lightsUp: Bool { place == .banner || place == .lockScreen }

    var bannerActions: [NotificationCategory.Action] {
        switch (place, alertStyle) {
        case (.banner, .alert): content.actions
        case (.banner, _): Array(content.actions.prefix(NotificationCategory.bannerActionsMax))
        default: []
        }
    }

    /// Why the notification isn't shown yet.
    var awaits: String { isInSummary ? "it waits for the scheduled summary" : "a service extension runs" }

    var outcome: ShownOutcome { ShownOutcome(isShown: isShown, at: shownAt, reason: reason, presentation: Boxed(self)) }
}

extension Presentation {
    /// Decides what a device shows of a payload, which is `nil` if it isn't JSON; `locale` is the user's
    /// language, unless the settings have some, and region: `en-GB`, `pt_BR`.
    init(
        of payload: JSONValue?, push: DeliveredPush, app: AppPresentation, locale: String,
        platform: Platform = .iOS, settings: ScreenSettings = ScreenSettings(), launchedAt: Instant? = nil
    ) {
        self.init(shownAt: push.deliveredAt)
        guard let payload, let aps = payload["aps"], aps.object != nil else {
            hide(Presentation.problem(of: payload))
            return
        }
        let languages = settings.languages.isEmpty ? [locale] : settings.languages
        content = NotificationContent(aps, app: app, languages: languages)
        wakesApp = content.isContentAvailable && app.canBeWoken
        if content.isMutable, content.hasText, app.permissions.alert, app.permissions.allowsNotifications,
            let service = app.serviceExtension
        {
            extend(payload, by: service) { NotificationContent($0, app: app, languages: languages) }
        }
        present(push, app: app, platform: platform, settings: settings, launchedAt: launchedAt)
    }

    /// Decides what a device shows of a notification that was read already, which no service extension sees.
    init(
        showing content: NotificationContent, push: DeliveredPush, app: AppPresentation, platform: Platform = .iOS,
        settings: ScreenSettings = ScreenSettings()
    ) {
        self.init(shownAt: push.deliveredAt)
        self.content = content
        present(push, app: app, platform: platform, settings: settings, launchedAt: nil)
    }

    // How much of the content is shown, and where.
    private mutating func present(
        _ push: DeliveredPush, app: AppPresentation, platform: Platform, settings: ScreenSettings, launchedAt: Instant?
    ) {
        showPreviews = app.permissions.showPreviews
        wasLocked = settings.isLocked
        // Locking a device takes the app off the screen.
        let isInForeground = app.appState == .foreground && !settings.isLocked
        reachesApp = isInForeground
        decidePlace(topic: push.topic, app: app, settings: settings, isInForeground: isInForeground)
        if app.permissions.authorization == .ephemeral,
            let launchedAt, push.deliveredAt.since(launchedAt) >= NotificationPermissions.ephemeralTime
        {
            content.badge = nil
            content.sound = nil
            hide("the App Clip was launched more than 8 hours ago")
        }
        if platform == .tvOS {
            content.sound = nil
            if isShown { hide("tvOS shows no alerts") }
        }
        if !isInForeground, settings.summary?.includes(push.topic) == true { waitForSummary(settings) }
        if place == .banner, settings.watchTakesAlerts {
            isOnWatch = true
            reason += ", on the watch because the phone is locked"
        }
        if !isShown { content.actions = [] }
    }

    /// What the alert of a Live Activity shows and sounds (`DeviceBehaviour#Live-Activities`): it lights up, and is in no
    /// list.
    init(
        ofActivity alert: JSONValue, push: DeliveredPush, app: AppPresentation, locale: String,
        settings: ScreenSettings = ScreenSettings()
    ) {
        self.init(shownAt: push.deliveredAt)
        let languages = settings.languages.isEmpty ? [locale] : settings.languages
        content = NotificationContent(ofActivity: alert, app: app, languages: languages)
        isListed = false
        wasLocked = settings.isLocked
        if settings.isMuted { content.sound = nil }
        if let focus = settings.focus, !focus.allows(topic: push.topic, sender: nil) {
            content.sound = nil
            hide("the Focus \(focus.name) is on")
        } else if !content.hasText {
            hide("the alert has no text")
        } else {
            place = settings.isLocked && !settings.watchTakesAlerts ? .lockScreen : .banner
            isOnWatch = settings.watchTakesAlerts
            reason = "shown"
        }
    }

    /// This presentation without a place on the screen: what is heard of a Live Activity's alert, which is in no list.
    var soundAlone: Presentation {
        var copy = self
        copy.place = .hidden
        return copy
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
        let named = service.sender(in: rewritten)
        sender = named.name
        warnFirst(attached.warnings + named.warnings)
    }

    // What is urgent, or comes from a person, does not wait (`DeviceBehaviour#The-scheduled-summary`).
    private mutating func waitForSummary(_ settings: ScreenSettings) {
        guard let summary = settings.summary, isShown, sender == nil, content.sound?.isCritical != true,
            content.interruptionLevel == .passive || content.interruptionLevel == .active
        else { return }
        isInSummary = true
        content.sound = nil
        alertStyle = nil
        shownAt = summary.next(after: shownAt)
        place = .list
        reason = "shown in the scheduled summary"
    }

    private mutating func warnFirst(_ warnings: [String]) { content.warnings = warnings + content.warnings }

    // Permissions, foreground, interruption level and Focus (`DeviceBehaviour#What-the-user-sees`,
    // `DeviceBehaviour#Focus`).
    private mutating func decidePlace(
        topic: String, app: AppPresentation, settings: ScreenSettings, isInForeground: Bool
    ) {
        let permissions = app.permissions
        let focus = settings.focus
        func getsThrough(_ part: ForegroundOption, ifPermitted isPermitted: Bool) -> Bool {
            isPermitted && permissions.isAuthorized
                && (!isInForeground || app.presentInForeground.contains(part))
        }
        if !getsThrough(.badge, ifPermitted: permissions.badge) { content.badge = nil }
        if !getsThrough(.sound, ifPermitted: permissions.sound) { content.sound = nil }
        if settings.isMuted, content.sound?.isCritical == false { content.sound = nil }
        place = settings.isLocked && !settings.watchTakesAlerts ? .lockScreen : .banner
        reason = mutableContent == .modified ? "shown as the service extension rewrote it" : "shown"
        switch permissions.authorization {
        case .notDetermined: return hide("the app has not asked the user for permission")
        case .denied: return hide("the user has turned the app's notifications off")
        // Provisional notifications have no sound, banner or badge (documented).
        case .provisional: quieten("the app's permission is provisional")
        case .authorized, .ephemeral:
            if let focus, let criteria = content.filterCriteria,
                app.focusFilter?[focus.name]?.contains(criteria) == false
            {
                hide("the Focus filter of the app does not let \(criteria) through")
                content.sound = nil
            }
            applyLevel(focus.flatMap { $0.allows(topic: topic, sender: sender) ? nil : $0.name })
        }
        if !content.hasAlert {
            hide("the payload has no alert")
        } else if !content.hasText {
            hide("the alert has no text")
        } else if !permissions.alert {
            hide("the user has turned the app's alerts off")
        }
        if isInForeground { applyForeground(app.presentInForeground) }
        applyChoices(permissions)
    }

    // Where the user lets alerts appear. What would be in the list only is hidden without one.
    private mutating func applyChoices(_ permissions: NotificationPermissions) {
        isListed = permissions.notificationCenter
        if place == .banner, permissions.alertStyle == .none {
            quieten("the user has turned the app's banners off")
        } else if place == .lockScreen, !permissions.lockScreen {
            quieten("the device is locked, and the user keeps the app's notifications off the lock screen")
        }
        if place == .list, !isListed { hide("the user keeps the app's notifications out of Notification Center") }
        if place == .banner { alertStyle = permissions.alertStyle }
    }

    private mutating func hide(_ why: String) {
        place = .hidden
        reason = "not shown: \(why)"
    }

    private mutating func quieten(_ why: String) {
        guard lightsUp else { return }
        place = .list
        reason = "shown in the list only: \(why)"
    }

    // `focus` is the active Focus, unless it lets the app or the sender through.
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
            guard let focus, lightsUp else { return }
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
    package let reason: String
    /// Absent if nothing is presented, or not yet.
    var presentation = Boxed<Presentation>()
    /// The Live Activity that a push or broadcast changed, as it became.
    var activity = Boxed<LiveActivity>()
}

extension Presentation.MutableContent: ByteCodable {}

extension Presentation.Place: NumberedCases {
    static func damage(_ number: UInt8) -> String { "\(number) is no place of a notification" }
}

extension Presentation: ByteRecord {
    static let members = ByteMembers(Presentation.init) {
        (
            $0.content, $0.place, $0.reason, $0.shownAt, $0.mutableContent, $0.isListed, $0.alertStyle,
            $0.showPreviews, $0.wasLocked, $0.isOnWatch, $0.isInSummary, $0.sender, $0.attachments, $0.reachesApp,
            $0.wakesApp
        )
    }
}

extension ShownOutcome: ByteRecord {
    package static let members: some ByteForm<ShownOutcome> = ByteMembers(ShownOutcome.init) {
        ($0.isShown, $0.isAwaited, $0.at, $0.reason, $0.presentation, $0.activity)
    }
}

extension DeliveredPush: ByteRecord {
    static let members = ByteMembers(DeliveredPush.init) {
        ($0.sequence, $0.notificationID, $0.topic, $0.collapseID, $0.deliveredAt)
    }
}
