internal import APNsRules

/// Whether a registration has a token, and whether the token reaches the app
/// (`DeviceBehaviour#Registration-and-tokens`).
package enum RegistrationState: String, CaseIterable, Sendable {
    case active
    /// The app was removed: 410 Unregistered once APNs notices.
    case unregistered
    /// The app needs or has a newer token: 410 ExpiredToken once APNs notices.
    case expired
    /// The app was never launched since it was installed, so it has no token.
    case notLaunched
    /// The app registers while there is no network, and has no token until there is.
    case waitingForNetwork

    /// Whether the registration has, or will have, a token that reaches the app.
    package var isCurrent: Bool { self != .unregistered && self != .expired }
    package var lacksToken: Bool { self == .notLaunched || self == .waitingForNetwork }
}

/// The state that only few registrations have.
struct RegistrationDetail: Sendable, DefaultInitializable {
    var waiting = StoredPushes()
    /// The accepted pushes, where their number is limited.
    var requests: RateLimitPeriod?
    var backgroundBudget = HourlyBudget()
    /// How the registration's token ended, once it has.
    var unregistration: Unregistration?
    var app = AppSettings()
    var wakeList = WakeList()
    var calls = CallList()
    var complications = ComplicationBudget()
    /// The Live Activity that the registration's token updates; `nil` for an app's own token.
    var activity: Int32?
    /// What a web app has besides; `nil` for any other app.
    var web: WebApp?
    /// When the user launched it last, where that matters; `nil` for when it got its token.
    var launchedAt: Instant?
}

/// The settings of an app, made by the user and by the app itself.
package struct AppSettings: Described {
    /// Background App Refresh; without it background pushes are lost (`DeviceBehaviour#From-APNs-to-the-device`;
    /// inferred).
    var backgroundRefresh = true
    /// What the service worker of a web app does.
    var worker = ServiceWorker.shows
    /// How its notifications are shown, and what the app is doing.
    var presentation = AppPresentation()

    package init() {}

    package static let fields: Fields<AppSettings> =
        [
            Field(
                "backgroundRefresh", \.backgroundRefresh,
                "Whether the user lets it refresh in the background.", default: true),
            Field(
                "worker", \.worker,
                "What the service worker of a web app does with a push that declares no notification.",
                default: .shows),
        ] + AppPresentation.fields.lifted(\.presentation)

    /// Why the app loses background pushes, if it does.
    var backgroundObstacle: String? {
        if presentation.appState == .forceQuit { return "the user has force-quit the app" }
        if !backgroundRefresh { return "Background App Refresh is turned off" }
        return presentation.canBeWoken ? nil : "the app lacks the background mode remote-notification"
    }
}
