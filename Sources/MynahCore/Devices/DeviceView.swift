public import APNsRules

/// A device as the control API prints it (`Documents#Devices`).
package struct DeviceView: Sendable, Equatable {
    package let id: String
    /// Whether a call made it; a push to an unknown token makes an unnamed device.
    package let isNamed: Bool
    package let scope: String?
    package let traits: DeviceTraits
    package let isOnline: Bool
    package let power: Power
    package let screen: ScreenSettings
    /// Its apps, oldest first, those with ended tokens included.
    package let registrations: [RegistrationView]
    /// Its Live Activities, oldest first, those that are dismissed included.
    package let activities: [LiveActivity]
    package let storedCount: Int
    package let deferredCount: Int
    package let inboxCount: Int
    /// How many pushes were dropped from the inbox to make room.
    package let inboxDropped: UInt64
    /// The push that arrived last.
    package let inboxLast: UInt64?

    package var json: JSONValue {
        .object(
            [JSONMember("id", .string(id)), JSONMember("scope", .text(scope))] + traits.members(name: traits.name ?? id)
                + [JSONMember("online", .bool(isOnline)), JSONMember("power", .string(power.rawValue))]
                + screen.members + [
                    JSONMember("registrations", .array(registrations.map(\.json))),
                    JSONMember("activities", .array(activities.map(\.json))),
                    JSONMember("stored", .whole(storedCount)), JSONMember("deferred", .whole(deferredCount)),
                    JSONMember(
                        "inbox",
                        ["count": .whole(inboxCount), "dropped": .whole(inboxDropped), "last": .whole(inboxLast)]),
                ])
    }
}

/// The devices whose IDs are those of one fleet.
package struct DeviceFleetView: Sendable, Equatable {
    package let id: String
    package private(set) var devices = 0
    /// The push that arrived last on one of them.
    package private(set) var last: UInt64?

    package init(id: String) { self.id = id }

    mutating func add(count: Int, last: UInt64?) {
        devices += count
        self.last = [self.last, last].compactMap(\.self).max()
    }

    package mutating func add(_ other: DeviceFleetView) { add(count: other.devices, last: other.last) }

    package var json: JSONValue {
        ["id": .string(id), "devices": .whole(devices), "lastPush": .whole(last)]
    }
}

/// An app of a device as the control API prints it (`Documents#Registrations`).
public struct RegistrationView: Sendable, Equatable {
    /// The topic.
    public let topic: String
    /// Its token; `nil` while it has none, because it was never launched or there was no network.
    public let token: DeviceToken?
    /// The environment in which the token is valid.
    public let environment: APNsEnvironment
    package let state: RegistrationState
    /// When the token was issued, or the app installed while it has none.
    package let since: Instant
    /// When the app was removed or needed another token.
    package let endedAt: Instant?
    /// When APNs notices the end, which is the `timestamp` of its 410.
    package let noticedAt: Instant?
    package let app: AppSettings
    /// Whether the app has, or will have, a valid token; otherwise a newer one replaced it, or the app was removed.
    public var isCurrent: Bool { state.isCurrent }

    package var json: JSONValue {
        .object(
            [
                JSONMember("topic", .string(topic)), JSONMember("token", .text(token?.hex)),
                JSONMember("environment", .string(environment.rawValue)), JSONMember("state", .string(state.rawValue)),
                JSONMember("since", .string(since.rfc3339)), JSONMember("endedAt", .text(endedAt?.rfc3339)),
                JSONMember("unregisteredAt", .text(noticedAt?.rfc3339)),
                JSONMember("backgroundRefresh", .bool(app.backgroundRefresh)),
            ] + app.presentation.members)
    }
}
