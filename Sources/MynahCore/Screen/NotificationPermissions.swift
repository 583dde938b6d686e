internal import APNsRules

/// What the user lets an app's notifications do (`DeviceBehaviour#Permissions`).
package struct NotificationPermissions: Described, Hashable {
    /// What the user answered when the app asked.
    package enum Authorization: String, CaseIterable, Sendable {
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
    package enum AlertStyle: String, CaseIterable, Sendable {
        /// Not at all.
        case none
        /// Goes away by itself; shows two actions.
        case banner
        /// Stays until the user does something; shows all actions.
        case alert
    }

    /// When the texts of a notification can be read.
    package enum ShowPreviews: String, CaseIterable, Sendable {
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
    package init() {}

    /// Whether anything may be shown, sounded or counted.
    var allowsNotifications: Bool { isAuthorized || authorization == .provisional }
    /// Whether sound, badge and banner are allowed, too.
    var isAuthorized: Bool { authorization == .authorized || authorization == .ephemeral }
    static let ephemeralTime: Duration = .seconds(8 * 3600)

    package static let fields: Fields<NotificationPermissions> = [
        Field(
            "authorization", \.authorization, "What the user answered when the app asked.", default: .authorized,
            uses: .clearable),
        allowance("alert", \.alert, "Whether alerts are allowed."),
        allowance("badge", \.badge, "Whether the number on the app's icon is allowed."),
        allowance("sound", \.sound, "Whether sounds are allowed."),
        allowance("critical", \.critical, "Whether critical alerts are allowed, which need an entitlement."),
        allowance(
            "timeSensitive", \.timeSensitive,
            "Whether time-sensitive notifications come through Focus and the scheduled summary."),
        allowance("location", \.location, "Whether the location push extension may ask for the position."),
        allowance("lockScreen", \.lockScreen, "Whether alerts appear on the screen of a locked device."),
        allowance("notificationCenter", \.notificationCenter, "Whether alerts stay in the list."),
        allowance("liveActivities", \.liveActivities, "Whether the app may have Live Activities."),
        allowance("frequentPushes", \.frequentPushes, "Whether frequent updates of Live Activities are allowed."),
        Field(
            "alertStyle", \.alertStyle, "How an alert appears on a device that is in use.", default: .banner,
            uses: .clearable),
        Field(
            "showPreviews", \.showPreviews, "When the texts of a notification can be read.", default: .always,
            uses: .clearable),
    ]

    private static func allowance(
        _ name: String, _ path: any WritableKeyPath<Self, Bool> & Sendable, _ sentence: String
    ) -> Field<Self> {
        Field(name, path, sentence, default: Self()[keyPath: path], uses: .clearable)
    }

    /// Changes the members that are given; `null` restores the default.
    mutating func apply(_ json: JSONValue?, at place: String) throws(InputError) {
        guard let json else {
            self = Self()
            return
        }
        try Self.fields.change(&self, by: try ObjectReader(json, at: place, Self.fields.making))
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
        let given = json
        let standard = Self().json
        for name in missing where given[name] != standard[name] {
            throw InputError(
                at: JSONPointer.below(place, name),
                "\(platform.rawValue) has no \(name): expected it to be left out, or null")
        }
    }
}

extension NotificationPermissions: DescribedValue {
    static let formName = "Permissions"
}

extension NotificationPermissions.Authorization: DocumentValue {}
extension NotificationPermissions.AlertStyle: DocumentValue {}
extension NotificationPermissions.ShowPreviews: DocumentValue {}

extension NotificationPermissions.Authorization: ByteCodable {}
extension NotificationPermissions.AlertStyle: ByteCodable {}
extension NotificationPermissions.ShowPreviews: ByteCodable {}

extension NotificationPermissions: ByteRecord {
    package static let members = ByteProperties(
        of: NotificationPermissions.init, \.authorization, \.alert, \.alertStyle, \.lockScreen, \.notificationCenter,
        \.showPreviews, \.badge, \.sound, \.critical, \.timeSensitive, \.location, \.liveActivities, \.frequentPushes)
}
