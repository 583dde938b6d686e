internal import APNsRules

/// What the user lets an app's notifications do (`DeviceBehaviour#Permissions`).
package struct NotificationPermissions: Sendable, Hashable {
    /// What the user answered when the app asked.
    enum Authorization: String, CaseIterable, Sendable {
        case authorized
        /// Nothing is shown; a push is accepted with 200 all the same.
        case denied
        /// The app has not asked: nothing is shown.
        case notDetermined
        /// The app asked to try quietly: shown in the list only.
        case provisional
    }

    var authorization = Authorization.authorized
    var alert = true
    var badge = true
    var sound = true
    /// Critical alerts need an entitlement.
    var critical = false
    /// Whether time-sensitive notifications come through Focus and the summary.
    var timeSensitive = true
    /// Whether the location push service extension may ask for the position
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    var location = true

    /// Whether anything may be shown, sounded or counted.
    var allowsNotifications: Bool { authorization == .authorized || authorization == .provisional }

    private static let switches: [(name: String, field: any WritableKeyPath<Self, Bool> & Sendable)] = [
        ("alert", \.alert), ("badge", \.badge), ("sound", \.sound), ("critical", \.critical),
        ("timeSensitive", \.timeSensitive), ("location", \.location),
    ]

    package static let schema = Schema(
        [Member("authorization", .choice(Authorization.self), default: "authorized")]
            + switches.map { Member($0.name, .bool, default: .bool(Self()[keyPath: $0.field])) })

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
    }

    var json: JSONValue {
        .object(
            [JSONMember("authorization", .string(authorization.rawValue))]
                + Self.switches.map { JSONMember($0.name, .bool(self[keyPath: $0.field])) })
    }
}
