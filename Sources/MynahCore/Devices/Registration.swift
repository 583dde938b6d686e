internal import APNsRules

/// Whether a registration has a token, and whether that is good (`DeviceBehaviour#Registration-and-tokens`).
package enum RegistrationState: String, CaseIterable, Sendable {
    /// Its token reaches the app.
    case active
    /// The app was removed: 410 Unregistered once APNs notices.
    case unregistered
    /// A newer token took the place of this one: 410 ExpiredToken once APNs notices.
    case expired
    /// Installed and never launched since: no token.
    case notLaunched
    /// Registering while there is no network: no token until there is one.
    case waitingForNetwork

    /// Whether it has, or will have, a token that reaches the app.
    package var isCurrent: Bool { self != .unregistered && self != .expired }
    /// Whether it has no token yet.
    package var lacksToken: Bool { self == .notLaunched || self == .waitingForNetwork }
}

/// An app of a device in one environment, with its token.
struct Registration: Slotted {
    /// The token; meaningless while ``RegistrationState/lacksToken``.
    var token: DeviceToken
    /// When this registration was made.
    var since: Instant
    /// What few have.
    var rare = Rare<RegistrationDetail>()
    /// The topic's number in the table.
    var topic: Int32
    /// The device's place.
    var device: Int32
    /// The device's next registration, or -1; the next free place.
    var next: Int32 = -1
    var state: RegistrationState
    var environment: APNsEnvironment
    /// Whether the place is taken.
    var isOccupied = true

    var nextSlot: Int32 { next }

    static func vacant(next: Int32) -> Registration {
        var vacant = Registration(
            token: .placeholder, since: Instant(milliseconds: 0), topic: 0, device: -1, state: .expired,
            environment: .sandbox)
        vacant.next = next
        vacant.isOccupied = false
        return vacant
    }

    init(
        token: DeviceToken, since: Instant, topic: Int32, device: Int32, state: RegistrationState,
        environment: APNsEnvironment
    ) {
        self.token = token
        self.since = since
        self.topic = topic
        self.device = device
        self.state = state
        self.environment = environment
    }
}

/// What few registrations have.
struct RegistrationDetail: Sendable {
    /// Pushes that wait: at most one stored, one deferred, and one deferred background push.
    var waiting: [WaitingPush] = []
    /// When the last background pushes within the budget were given to the app, oldest first.
    var wakes: [Instant] = []
    /// When the app was removed or got another token.
    var endedAt: Instant?
    /// When APNs notices that; `nil` while nothing has told it.
    var noticedAt: Instant?
    /// Whether somebody said that the token is no longer good, so that it answers 410 whatever the time.
    var isDeclaredDead = false
    /// How the user and the app have set it up.
    var app = AppSettings()
    /// The times that a push woke the app, for the screen.
    var wakeList = WakeList()
    /// Whether it still gets VoIP pushes.
    var calls = CallList()
    /// How many complication pushes it still gets today.
    var complications = ComplicationBudget()
}

/// How the user and the app itself have set an app up.
package struct AppSettings: Sendable, Equatable {
    /// Background App Refresh; turned off, background pushes are lost (`DeviceBehaviour#From-APNs-to-the-device`; INF).
    package var backgroundRefresh = true
    /// What decides how its notifications are shown, and what it is doing.
    package var presentation = AppPresentation()

    /// What the app is doing.
    package var appState: AppState {
        get { presentation.appState }
        set { presentation.appState = newValue }
    }

    /// As after installing.
    package init() {}
}

/// A push that was accepted and has not reached its app.
struct WaitingPush: Sendable {
    /// The most pushes that faults hold back for one registration; beyond it the earliest goes its way at once.
    static let heldCountMax = 256

    /// Where it waits; a registration has at most one push in each place, but for ``held``.
    enum Place: UInt8, Sendable {
        /// In APNs' storage, the device being offline.
        case stored
        /// Held back by power.
        case deferred
        /// A background push, held back by power or budget.
        case deferredBackground
        /// Held back by a fault, which delivers it late.
        case held

        var outcome: Outcome { self == .stored ? .stored : .deferred }
    }

    let sequence: UInt64
    let push: Push
    let acceptedAt: Instant
    /// When it is given up.
    let expiresAt: Instant
    /// Whether it asked for one attempt only.
    let isOnce: Bool
    var place: Place
    /// Why it waits, for people.
    var reason: String
    /// When it is looked at again by itself, its expiry apart.
    var lookedAtAgain: Instant?
    /// Until when a fault holds it back, whatever the device is like.
    var heldUntil: Instant?

    /// When something happens to it by itself.
    var dueAt: Instant { min(expiresAt, lookedAtAgain ?? expiresAt) }
}
