internal import APNsRules

/// What the user lets an app's notifications do (`DeviceBehaviour#Permissions`).
package struct NotificationPermissions: Sendable, Hashable {
    /// What the user answered when the app asked.
    enum Authorization: String, CaseIterable, Sendable {
        case authorized
        /// The user has turned the app's notifications off: a push is accepted with 200, and discarded unless it wakes
        /// the app.
        case denied
        /// The app has not asked: nothing is shown.
        case notDetermined
        /// The app asked to try quietly: shown in the list only.
        case provisional
        /// An App Clip's, which has not asked: as `authorized` until 8 hours after each launch (documented).
        case ephemeral
    }

    /// How an alert appears on a device that is in use.
    enum AlertStyle: String, CaseIterable, Sendable {
        /// Not at all.
        case none
        /// Goes away by itself; shows two actions.
        case banner
        /// Stays until the user does something; shows all actions.
        case alert
    }

    /// When the texts of a notification can be read.
    enum ShowPreviews: String, CaseIterable, Sendable {
        case always
        case whenUnlocked
        case never
    }

    var authorization = Authorization.authorized
    var alert = true
    var alertStyle = AlertStyle.banner
    /// Whether alerts appear on the screen of a locked device.
    var lockScreen = true
    /// Whether alerts stay in the list.
    var notificationCenter = true
    var showPreviews = ShowPreviews.always
    var badge = true
    var sound = true
    /// Critical alerts need an entitlement.
    var critical = false
    /// Whether time-sensitive notifications come through Focus and the summary.
    var timeSensitive = true
    /// Whether the location push service extension may ask for the position
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    var location = true
    /// Whether the app may have Live Activities, ActivityKit's `areActivitiesEnabled`; independent of notifications.
    var liveActivities = true
    /// More Frequent Updates, ActivityKit's `frequentPushesEnabled`.
    var frequentPushes = true

    /// Whether anything may be shown, sounded or counted.
    var allowsNotifications: Bool { isAuthorized || authorization == .provisional }
    /// Whether sound, badge and banner are allowed, too.
    var isAuthorized: Bool { authorization == .authorized || authorization == .ephemeral }
    static let ephemeralTime: Duration = .seconds(8 * 3600)

    private static let switches: [(name: String, field: any WritableKeyPath<Self, Bool> & Sendable)] = [
        ("alert", \.alert), ("badge", \.badge), ("sound", \.sound), ("critical", \.critical),
        ("timeSensitive", \.timeSensitive), ("location", \.location), ("lockScreen", \.lockScreen),
        ("notificationCenter", \.notificationCenter), ("liveActivities", \.liveActivities),
        ("frequentPushes", \.frequentPushes),
    ]

    package static let schema = Schema(
        [Member("authorization", .choice(Authorization.self), default: "authorized")]
            + switches.map { Member($0.name, .bool, default: .bool(Self()[keyPath: $0.field])) } + [
                Member("alertStyle", .choice(AlertStyle.self), default: "banner"),
                Member("showPreviews", .choice(ShowPreviews.self), default: "always"),
            ])

    /// Changes the members that are given; `null` restores the default.
    mutating func apply(_ json: JSONValue?, at place: String) throws(InputError) {
        let standard = Self()
        guard let json else {
            self = standard
            return
        }
        let reader = try ObjectReader(json, at: place, Self.schema)
        if reader.has("authorization") { authorization = reader.choice("authorization") ?? standard.authorization }
        for (name, field) in Self.switches where reader.has(name) {
            self[keyPath: field] = reader.bool(name) ?? standard[keyPath: field]
        }
        if reader.has("alertStyle") { alertStyle = reader.choice("alertStyle") ?? standard.alertStyle }
        if reader.has("showPreviews") { showPreviews = reader.choice("showPreviews") ?? standard.showPreviews }
    }

    /// Throws if a platform has no use for what is set.
    func check(on platform: Platform, at place: String) throws(InputError) {
        if authorization == .ephemeral, platform != .iOS, platform != .iPadOS {
            throw InputError(
                at: JSONPointer.below(place, "authorization"), "\(platform.rawValue) has no App Clips",
                allowed: Authorization.allCases.filter { $0 != .ephemeral }.map(\.rawValue))
        }
        let ofActivities = ["liveActivities", "frequentPushes"]
        let missing: [String] =
            switch platform {
            case .tvOS:
                [
                    "alert", "sound", "critical", "timeSensitive", "alertStyle", "lockScreen", "notificationCenter",
                    "showPreviews",
                ] + ofActivities
            case .watchOS: ["alertStyle", "lockScreen", "showPreviews"] + ofActivities
            case .macOS, .visionOS: ofActivities
            case .iOS, .iPadOS: []
            }
        guard !missing.isEmpty else { return }
        let (given, standard) = (json, Self().json)
        for name in missing where given[name] != standard[name] {
            throw InputError(
                at: JSONPointer.below(place, name),
                "\(platform.rawValue) has no \(name): expected it to be left out, or null")
        }
    }

    var json: JSONValue {
        .object(
            [JSONMember("authorization", .string(authorization.rawValue))]
                + Self.switches.map { JSONMember($0.name, .bool(self[keyPath: $0.field])) } + [
                    JSONMember("alertStyle", .string(alertStyle.rawValue)),
                    JSONMember("showPreviews", .string(showPreviews.rawValue)),
                ])
    }
}
