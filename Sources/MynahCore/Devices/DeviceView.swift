public import APNsRules

/// A device as the control API prints it (`Documents#Devices`).
@dynamicMemberLookup
package struct DeviceView: Sendable, Equatable {
    package let id: String
    /// Whether a call made it; a push to an unknown token makes an unnamed device.
    package let isNamed: Bool
    package let scope: String?
    package let profile: DeviceProfile
    /// The device's apps, oldest first, including apps whose tokens have ended.
    package let registrations: [RegistrationView]
    /// The device's Live Activities, oldest first, including dismissed ones.
    package let activities: [LiveActivity]
    package let storedCount: Int
    package let deferredCount: Int
    package let inboxCount: Int
    /// How many pushes were dropped from the inbox to make room.
    package let inboxDropped: UInt64
    /// The sequence number of the push that arrived last.
    package let inboxLast: UInt64?

    package subscript<Value>(dynamicMember path: KeyPath<DeviceProfile, Value>) -> Value { profile[keyPath: path] }

    package var json: JSONValue { .object(DeviceView.fields.members(of: self)) }

    package static let fields: Fields<DeviceView> = identity + settings + contents

    private static let identity: Fields<DeviceView> = [
        Field(shown: "id", .anyText, "The device's ID.") { .string($0.id) },
        Field(shown: "scope", .nullable(.anyText), "The device's scope; null if it belongs to none.") {
            .text($0.scope)
        },
    ]

    private static let settings = Fields(
        DeviceProfile.fields.all.map { field in
            Field<DeviceView>(shown: field.name, field.shown, field.member.summary, uses: field.uses) { device in
                // A device without a name is called by its id.
                field.name == "name" && device.traits.name == nil ? .string(device.id) : field.json(device.profile)
            }
        })

    private static let contents: Fields<DeviceView> = [
        Field(shown: "registrations", .array(of: .any(schema: "Registration")), "Its apps, oldest first.") {
            .array($0.registrations.map(\.json))
        },
        Field(
            shown: "activities", .array(of: .any(schema: "LiveActivity")),
            "Its Live Activities, oldest first, with those that are dismissed."
        ) { .array($0.activities.map(\.json)) },
        Field(shown: "stored", .whole, "Pushes stored while it is offline.") { .whole($0.storedCount) },
        Field(shown: "deferred", .whole, "Pushes that its state or a budget holds back.") { .whole($0.deferredCount) },
        Field(shown: "inbox", .object(inbox.showing), "How much is in the device's inbox.") {
            .object(inbox.members(of: $0))
        },
    ]

    private static let inbox: Fields<DeviceView> = [
        Field(shown: "count", .whole, "How many arrivals are in it.") { .whole($0.inboxCount) },
        Field(shown: "dropped", .whole, "How many were replaced by later ones.") { .whole($0.inboxDropped) },
        Field(shown: "last", .nullable(.whole).described("The push that arrived last.")) { .whole($0.inboxLast) },
    ]
}

/// The devices of a fleet, whose IDs differ only in a number.
package struct DeviceFleetView: Sendable, Equatable {
    package let id: String
    package private(set) var devices = 0
    /// The sequence number of the push that arrived last on a device of the fleet.
    package private(set) var last: UInt64?

    package init(id: String) { self.id = id }

    mutating func add(count: Int, last: UInt64?) {
        devices += count
        self.last = [self.last, last].compactMap(\.self).max()
    }

    package mutating func add(_ other: DeviceFleetView) { add(count: other.devices, last: other.last) }

    package var json: JSONValue { .object(DeviceFleetView.fields.members(of: self)) }

    package static let fields: Fields<DeviceFleetView> = [
        Field(shown: "id", .anyText, "The ID that was given with count.") { .string($0.id) },
        Field(shown: "devices", .whole, "How many devices.") { .whole($0.devices) },
        Field(
            shown: "lastPush", .nullable(.whole),
            "The sequence number of the latest push on one of them; null for none."
        ) { .whole($0.last) },
    ]
}

/// An app of a device as the control API prints it (`Documents#Registrations`).
public struct RegistrationView: Sendable, Equatable {
    /// The topic.
    public let topic: String
    /// The app's token; `nil` while it has none, because it was never launched or there was no network.
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
    package fileprivate(set) var app: AppSettings
    /// What only a web app has; `nil` for any other app.
    package let web: WebAppView?
    /// Whether the app has, or will have, a valid token; otherwise a newer one replaced it, or the app was removed.
    public var isCurrent: Bool { state.isCurrent }

    package var json: JSONValue { .object(RegistrationView.fields.members(of: self)) }

    package static let fields: Fields<RegistrationView> =
        [
            Field(shown: "topic", .anyText, "The app's topic: its bundle ID, with a suffix for some push types.") {
                .string($0.topic)
            },
            Field(shown: "kind", .choice(RegistrationKind.self), "Whether it is an app or a web app.") {
                .string(($0.web == nil ? RegistrationKind.app : .web).rawValue)
            },
            Field(
                shown: "token", .nullable(.anyText),
                "The device token, in lower-case digits, or what the endpoint of a web app ends in; null while it has none."
            ) { .text($0.token?.hex) },
            Field(
                shown: "applicationServerKey", .nullable(.anyText),
                "The key that a web app has subscribed with; null for any other app."
            ) { .text(($0.web?.applicationServerKey).map { Base64.encode($0, url: true) }) },
            Field(
                shown: "webPush", .nullable(.any(schema: "WebPushSubscription")),
                """
                The subscription of a web app, as a browser prints it; null for any other app, while it has none, and on \
                a server without --web-push-port.
                """
            ) { $0.web?.subscription ?? .null },
            Field(shown: "environment", APNsEnvironment.form, "The environment in which the token is valid.") {
                $0.environment.json
            },
            Field(shown: "state", .choice(RegistrationState.self), "Whether the token is valid, and if not, why.") {
                .string($0.state.rawValue)
            },
            Field(shown: "since", .time, "When the token was issued, or the app installed while it has none.") {
                .string($0.since.rfc3339)
            },
            Field(shown: "endedAt", .nullable(.time), "When the app was removed or needed another token.") {
                .text($0.endedAt?.rfc3339)
            },
            Field(shown: "unregisteredAt", .nullable(.time), "When APNs notices that: the timestamp of its 410.") {
                .text($0.noticedAt?.rfc3339)
            },
        ] + AppSettings.fields.lifted(\.app)
}

/// The members that only the registration of a web app shows.
package struct WebAppView: Sendable, Equatable {
    package let applicationServerKey: [UInt8]
    /// What `JSON.stringify(subscription)` prints in a browser; `nil` while there is no subscription.
    package let subscription: JSONValue?
}
