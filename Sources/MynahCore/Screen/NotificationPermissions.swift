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

    /// The names of the object's members.
    package static let names = ["authorization", "alert", "badge", "sound", "critical", "timeSensitive", "location"]

    /// Whether anything may be shown, sounded or counted.
    var allowsNotifications: Bool { authorization == .authorized || authorization == .provisional }

    mutating func apply(_ json: JSONValue, at pointer: JSONPointer) throws(QueryError) {
        let reader = try MemberReader(json, at: pointer, names: NotificationPermissions.names)
        let standard = NotificationPermissions()
        func truth(_ name: String, _ field: WritableKeyPath<NotificationPermissions, Bool>) throws(QueryError) {
            if reader.has(name) { self[keyPath: field] = try reader.truth(name) ?? standard[keyPath: field] }
        }
        if reader.has("authorization") {
            authorization = try reader.choice("authorization") ?? standard.authorization
        }
        try truth("alert", \.alert)
        try truth("badge", \.badge)
        try truth("sound", \.sound)
        try truth("critical", \.critical)
        try truth("timeSensitive", \.timeSensitive)
        try truth("location", \.location)
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
