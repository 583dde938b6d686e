public import APNsRules
public import MynahCore

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
    /// Further members as the control API takes them: `["permissions": ["badge": false]]`; `permissions`, `categories`,
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
    func document(after renewal: Rotation? = nil) -> JSONValue {
        let members: [(String, String?)] = [
            ("topic", topic), ("token", token?.hex), ("environment", environment?.rawValue),
            ("rotate", renewal?.rawValue),
        ]
        return .object(
            .texts(members) + [JSONMember("launched", .bool(isLaunched))]
                + (setup.object ?? [JSONMember("setup", setup)]))
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
    public var power = Power.normal
    /// The environment of apps that name none.
    public var environment: APNsEnvironment
    /// Its language, a tag such as `en-GB`.
    public var locale: String?
    /// Its system.
    public var platform: Platform?
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
        let members: [(String, String?)] = [
            ("id", id), ("scope", scope), ("power", power.rawValue), ("environment", environment.rawValue),
            ("locale", locale), ("platform", platform?.rawValue),
        ]
        return .object(
            .texts(members) + [
                JSONMember("online", .bool(isOnline)),
                JSONMember("registrations", .array(apps.map { $0.document() })),
            ] + (further.object ?? [JSONMember("further", further)]))
    }
}

extension [JSONMember] {
    /// Members whose values are strings, without those that are `nil`.
    fileprivate static func texts(_ members: [(name: String, value: String?)]) -> [JSONMember] {
        members.compactMap { name, value in value.map { JSONMember(name, .string($0)) } }
    }
}
