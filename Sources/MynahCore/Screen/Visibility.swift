/// Where a notification may go, and what of it comes through: permissions, foreground, level, Focus
/// (`DeviceBehaviour#What-the-user-sees`).
struct Visibility {
    private(set) var place = Presentation.Place.hidden
    private(set) var reason = ""
    private(set) var letsSoundThrough = false
    private(set) var letsBadgeThrough = false

    init(
        of content: Presentation.Content, topic: String, app: AppPresentation, surroundings: ScreenSurroundings,
        isRewritten: Bool
    ) {
        let permissions = app.permissions
        guard permissions.allowsNotifications else {
            reason =
                permissions.authorization == .notDetermined
                ? "not shown: the app has not asked the user for permission"
                : "not shown: the user has turned the app's notifications off"
            return
        }
        guard permissions.authorization == .authorized else {
            decideProvisional(content, app)
            return
        }
        letsBadgeThrough = permissions.badge
        letsSoundThrough = permissions.sound
        if app.appState == .foreground {
            letsBadgeThrough = letsBadgeThrough && app.presentInForeground.contains(.badge)
            letsSoundThrough = letsSoundThrough && app.presentInForeground.contains(.sound)
        }
        place = .banner
        reason = isRewritten ? "shown as the service extension rewrote it" : "shown"
        if Visibility.isFiltered(content, app, surroundings) {
            hide("the Focus filter of the app does not let \(content.filterCriteria ?? "") through")
            letsSoundThrough = false
        }
        applyLevelAndFocus(content, topic, surroundings)
        if let problem = Visibility.nothingToShow(content, permissions) { hide(problem) }
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

    // In the list only, without sound, banner or badge, as if the user had chosen to be left in peace (documented).
    private mutating func decideProvisional(_ content: Presentation.Content, _ app: AppPresentation) {
        place = .banner
        quieten("the app's permission is provisional")
        if let problem = Visibility.nothingToShow(content, app.permissions) { hide(problem) }
        if app.appState == .foreground { applyForeground(app.presentInForeground) }
    }

    private static func nothingToShow(
        _ content: Presentation.Content, _ permissions: NotificationPermissions
    ) -> String? {
        guard content.hasAlert else { return "the payload has no alert" }
        guard !content.text.isEmpty else { return "the alert has no text" }
        guard permissions.alert else { return "the user has turned the app's alerts off" }
        return nil
    }

    private static func isFiltered(
        _ content: Presentation.Content, _ app: AppPresentation, _ surroundings: ScreenSurroundings
    ) -> Bool {
        guard let focus = surroundings.focus, let criteria = content.filterCriteria,
            let allowed = app.focusFilter?[focus.name]
        else { return false }
        return !allowed.contains(criteria)
    }

    private mutating func applyLevelAndFocus(
        _ content: Presentation.Content, _ topic: String, _ surroundings: ScreenSurroundings
    ) {
        switch content.level {
        case .passive:
            quieten("its interruption level is passive")
            letsSoundThrough = false
        case .active:
            guard let focus = surroundings.focus, !focus.allowedApps.contains(topic) else { return }
            quieten("the Focus \(focus.name) is on")
            // A critical sound is heard through Focus whatever the level says.
            if content.sound?.isCritical != true { letsSoundThrough = false }
        case .timeSensitive, .critical:
            guard let focus = surroundings.focus, !focus.allowedApps.contains(topic), place == .banner else { return }
            reason = "shown through the Focus \(focus.name): it is \(content.level.rawValue)"
        }
    }

    // A banner without the list stays on the simulated screen as one: a test could not see it otherwise (inferred).
    private mutating func applyForeground(_ options: Set<ForegroundOption>) {
        switch place {
        case .hidden: return
        case .banner where options.contains(.banner): reason += ", as the app in the foreground asked"
        case _ where options.contains(.list): quieten("the app is in the foreground and asked for no banner")
        case _ where options.contains(.banner):
            hide("it goes into the list only, and the app in the foreground asked for a banner only")
        default: hide("the app is in the foreground and asked for neither a banner nor the list")
        }
    }
}
