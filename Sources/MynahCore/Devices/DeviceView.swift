public import APNsRules

/// A device as a call answers it (`Documents#Devices`).
package struct DeviceView: Sendable, Equatable {
    /// Its id.
    package let id: String
    /// Whether somebody named it; else a push to an unknown token made it.
    package let isNamed: Bool
    /// Its scope.
    package let scope: String?
    /// What it is.
    package let traits: DeviceTraits
    /// Whether APNs reaches it.
    package let isOnline: Bool
    /// Its power.
    package let power: Power
    /// The Focus that is on.
    package let focus: Focus?
    /// Its apps, oldest first, those with dead tokens included.
    package let registrations: [RegistrationView]
    /// Pushes stored for it.
    package let storedCount: Int
    /// Pushes that power or a budget holds back.
    package let deferredCount: Int
    /// Pushes that arrived and are in the inbox.
    package let inboxCount: Int
    /// Pushes that went from the inbox to make room.
    package let inboxDropped: UInt64

    /// As JSON.
    package var json: JSONValue {
        [
            "id": .string(id), "scope": JSONValue(scope), "name": .string(traits.name ?? id),
            "model": .string(traits.model), "platform": .string(traits.platform.rawValue),
            "osVersion": .string(traits.osVersion), "environment": .string(traits.environment.rawValue),
            "locale": .string(traits.locale), "online": .bool(isOnline), "power": .string(power.rawValue),
            "focus": focus?.json ?? .null, "registrations": .array(registrations.map(\.json)),
            "stored": .number(JSONNumber(storedCount)), "deferred": .number(JSONNumber(deferredCount)),
            "inbox": [
                "count": .number(JSONNumber(inboxCount)), "dropped": .number(JSONNumber(inboxDropped)),
            ],
        ]
    }
}

/// An app of a device, with its token (`Documents#Registrations`).
public struct RegistrationView: Sendable, Equatable {
    /// The topic.
    public let topic: String
    /// Its token; `nil` while it has none, because it was never launched or there was no network.
    public let token: DeviceToken?
    /// The environment in which the token is good.
    public let environment: APNsEnvironment
    /// Whether the token is good, and why not.
    package let state: RegistrationState
    /// When the token was issued, or the app installed while it has none.
    package let since: Instant
    /// When the app was removed or needed another token.
    package let endedAt: Instant?
    /// When APNs notices that, the `timestamp` of its 410; `nil` while nothing tells it.
    package let noticedAt: Instant?
    /// How the app is set up.
    package let app: AppSettings

    /// Whether the token is good; else a newer one has replaced it, or the app is gone.
    public var isCurrent: Bool { state.isCurrent }

    /// As JSON; what only the screen reads stands at the end, as it was given.
    package var json: JSONValue {
        .object(
            [
                JSONMember("topic", .string(topic)), JSONMember("token", JSONValue(token?.hex)),
                JSONMember("environment", .string(environment.rawValue)),
                JSONMember("state", .string(state.rawValue)), JSONMember("since", .string(since.rfc3339)),
                JSONMember("endedAt", JSONValue(endedAt?.rfc3339)),
                JSONMember("unregisteredAt", JSONValue(noticedAt?.rfc3339)),
                JSONMember("backgroundRefresh", .bool(app.backgroundRefresh)),
            ] + app.presentation.members)
    }
}

extension JSONValue {
    fileprivate init(_ text: String?) { self = text.map { .string($0) } ?? .null }
}
