package import APNsRules

/// What the user lets an app's notifications do (`DeviceBehaviour#What-the-user-sees`, *Permissions are per app*).
package struct NotificationPermissions: Sendable, Hashable {
    /// What the user answered when the app asked.
    package enum Authorization: String, CaseIterable, Sendable {
        /// Yes.
        case authorized
        /// No, or turned off since: accepted with 200, not shown.
        case denied
        /// The app has not asked: nothing is shown.
        case notDetermined
        /// The app asked to try quietly: shown in the list only.
        case provisional
    }

    /// Whether the app may notify at all.
    package var authorization = Authorization.authorized
    /// Whether it may show something.
    package var alert = true
    /// Whether it may put a number on its icon.
    package var badge = true
    /// Whether it may sound.
    package var sound = true
    /// Whether it may send critical alerts, which need an entitlement.
    package var critical = false
    /// Whether its time-sensitive notifications may come through Focus and the summary.
    package var timeSensitive = true
    /// Whether its location push service extension may ask for the position
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    package var location = true

    /// All that an app may have without an entitlement.
    package init() {}

    static let schema: Schema = [
        Member("authorization", .choice(Authorization.self), default: "authorized"),
        Member("alert", .bool, default: true),
        Member("badge", .bool, default: true),
        Member("sound", .bool, default: true),
        Member("critical", .bool, default: false),
        Member("timeSensitive", .bool, default: true),
        Member("location", .bool, default: true),
    ]

    /// Whether anything may be shown, sounded or counted.
    var allowsNotifications: Bool { authorization == .authorized || authorization == .provisional }

    /// The permissions with the members that are given; `null` is the default.
    func changed(by reader: ObjectReader) -> NotificationPermissions {
        let standard = NotificationPermissions()
        func bool(_ name: String, _ field: KeyPath<NotificationPermissions, Bool>) -> Bool {
            reader.has(name) ? reader.bool(name) ?? standard[keyPath: field] : self[keyPath: field]
        }
        var changed = self
        if reader.has("authorization") { changed.authorization = reader.choice("authorization") ?? .authorized }
        changed.alert = bool("alert", \.alert)
        changed.badge = bool("badge", \.badge)
        changed.sound = bool("sound", \.sound)
        changed.critical = bool("critical", \.critical)
        changed.timeSensitive = bool("timeSensitive", \.timeSensitive)
        changed.location = bool("location", \.location)
        return changed
    }

    /// The permissions as the control API prints them (`Documents#Devices`).
    package var json: JSONValue {
        [
            "authorization": .string(authorization.rawValue), "alert": .bool(alert), "badge": .bool(badge),
            "sound": .bool(sound), "critical": .bool(critical), "timeSensitive": .bool(timeSensitive),
            "location": .bool(location),
        ]
    }
}
