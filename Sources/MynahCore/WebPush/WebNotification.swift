package import APNsRules

/// A notification of a web app, declared by the push itself or shown by a service worker (`WebPush#What-the-user-sees`).
package struct WebNotification: Sendable, Hashable {
    package var title: String
    package var body: String?
    /// The number to set on the web app's icon; 0 removes it, `nil` leaves it.
    package var badge: Int64?
    /// Whether the notification makes no sound.
    package var isSilent = false
    /// The address that a tap opens.
    package var navigate: String?
    /// What is kept without effect on a device: `tag`, `icon`, `lang`, `dir` and others.
    package var details: [JSONMember] = []
    package var warnings: [String] = []

    package init(title: String) { self.title = title }
}

extension NotificationContent {
    /// Makes the content of a screen's notification from a web notification.
    init(_ notification: WebNotification) {
        let navigate = JSONValue.given(notification.navigate).map { [JSONMember("navigate", $0)] } ?? []
        self.init(
            title: notification.title, body: notification.body, badge: notification.badge,
            sound: notification.isSilent ? nil : .standard, details: navigate + notification.details,
            warnings: notification.warnings)
    }
}

extension Presentation {
    /// Decides what a device shows of a web app's notification; the same if the web app is open (observed).
    init(
        of notification: WebNotification, push: DeliveredPush, app: AppPresentation, platform: Platform = .iOS,
        settings: ScreenSettings = ScreenSettings()
    ) {
        var app = app
        app.presentInForeground = Set(ForegroundOption.allCases)
        self.init(
            showing: NotificationContent(notification), push: push, app: app, platform: platform, settings: settings)
    }
}
