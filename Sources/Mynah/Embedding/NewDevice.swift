public import APNsRules
internal import MynahCore

/// How much power a device has to spend (`DeviceBehaviour#From-APNs-to-the-device`).
public enum DevicePower: String, CaseIterable, Sendable {
    /// Delivers all.
    case normal
    /// Low Power Mode: holds priorities 5 and 1, and background pushes.
    case low
    /// Holds priorities 5 and 1; 10 wakes it for itself only.
    case asleep
}

/// An app to install on a device (`Documents#Registrations`).
public struct NewApp: Sendable, ExpressibleByStringLiteral {
    /// Its topic: the bundle id, and maybe a suffix.
    public var topic: String
    /// A token of the caller's choice; `nil`: one is issued.
    public var token: DeviceToken?
    /// Where the token is good; `nil`: in the device's environment.
    public var environment: APNsEnvironment?
    /// Whether it has been launched and so has a token.
    public var isLaunched = true
    /// How it is set up, as the control API takes it: `["permissions": ["badge": false]]`; `permissions`, `categories`,
    /// `sounds`, `strings`, `serviceExtension`, `appState`, `backgroundRefresh` and the others.
    public var setup: JSONValue = [:]

    /// An app by its topic.
    public init(
        _ topic: String, token: DeviceToken? = nil, environment: APNsEnvironment? = nil, setup: JSONValue = [:]
    ) {
        self.topic = topic
        self.token = token
        self.environment = environment
        self.setup = setup
    }

    /// An app by its topic.
    public init(stringLiteral topic: String) { self.init(topic) }

    /// The app as the control API takes it.
    var document: JSONValue {
        var members = [JSONMember("topic", .string(topic))]
        if let token { members.append(JSONMember("token", .string(token.hex))) }
        if let environment { members.append(JSONMember("environment", .string(environment.rawValue))) }
        if !isLaunched { members.append(JSONMember("launched", false)) }
        return .object(members + (setup.object ?? [JSONMember("setup", setup)]))
    }
}

/// A device to make (`Documents#Devices`).
public struct NewDevice: Sendable {
    /// Its id; `nil`: one is made.
    public var id: String?
    /// Its apps.
    public var apps: [NewApp]
    /// Whether APNs reaches it.
    public var isOnline = true
    /// Its power.
    public var power = DevicePower.normal
    /// The environment of apps that name none.
    public var environment: APNsEnvironment
    /// Its language, a tag such as `en-GB`.
    public var locale: String?
    /// Its system: `iOS`, `iPadOS`, `macOS`, `watchOS`, `tvOS` or `visionOS`.
    public var platform: String?
    /// Further members as the control API takes them: `name`, `model`, `osVersion`, `focus`.
    public var further: JSONValue = [:]

    /// An iPhone that is online.
    public init(
        _ id: String? = nil, apps: [NewApp] = [], isOnline: Bool = true, environment: APNsEnvironment = .sandbox
    ) {
        self.id = id
        self.apps = apps
        self.isOnline = isOnline
        self.environment = environment
    }

    /// The device as the control API takes it, in a scope or in none.
    func document(scope: String?) -> JSONValue {
        var members = [
            JSONMember("online", .bool(isOnline)), JSONMember("power", .string(power.rawValue)),
            JSONMember("environment", .string(environment.rawValue)),
            JSONMember("registrations", .array(apps.map(\.document))),
        ]
        if let id { members.append(JSONMember("id", .string(id))) }
        if let scope { members.append(JSONMember("scope", .string(scope))) }
        if let locale { members.append(JSONMember("locale", .string(locale))) }
        if let platform { members.append(JSONMember("platform", .string(platform))) }
        return .object(members + (further.object ?? [JSONMember("further", further)]))
    }
}
