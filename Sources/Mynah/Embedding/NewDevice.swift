public import APNsRules
public import MynahCore

/// An app to install on a device (`Documents#Registrations`).
public struct NewApp: Sendable, ExpressibleByStringLiteral {
    /// The app's topic: the bundle id, possibly with a suffix.
    public var topic: String
    /// A token of the caller's choice; `nil` to issue one.
    public var token: DeviceToken?
    /// The environment in which the token is valid; `nil` for the device's.
    public var environment: APNsEnvironment?
    /// The key with which a web app subscribes, a point of P-256 in base64url; `nil` for any other app.
    public var applicationServerKey: String?
    /// What the service worker of a web app does with a push that declares no notification; `nil` for one that shows it.
    public var worker: ServiceWorker?
    /// Whether the app has been launched and so has a token.
    public var isLaunched = true
    /// Further members as the control API takes them: `["permissions": ["badge": false]]`; `permissions`, `categories`,
    /// `sounds`, `strings`, `serviceExtension`, `appState`, `backgroundModes` and the others.
    public var setup: JSONValue = [:]

    /// Makes an app by its topic.
    public init(
        _ topic: String, token: DeviceToken? = nil, environment: APNsEnvironment? = nil, setup: JSONValue = [:]
    ) {
        self.topic = topic
        self.token = token
        self.environment = environment
        self.setup = setup
    }

    /// A web app by its origin, with the key with which it subscribes.
    ///
    /// After `.web("https://shop.example", applicationServerKey: "B…")`, ``SimulatedDevice/subscription(of:)`` is what the
    /// browser hands out. Pushes to it need a server with ``Settings/webPushPort``.
    public static func web(
        _ origin: String, applicationServerKey: String, worker: ServiceWorker? = nil, setup: JSONValue = [:]
    ) -> NewApp {
        var app = NewApp(origin, setup: setup)
        app.applicationServerKey = applicationServerKey
        app.worker = worker
        return app
    }

    /// Makes an app by its topic.
    public init(stringLiteral topic: String) { self.init(topic) }

    /// The app as the control API takes it.
    func document(after renewal: Rotation? = nil) -> JSONValue {
        let members: JSONValue = [
            "topic": .string(topic), "token": .text(token?.hex), "environment": .text(environment?.rawValue),
            "rotate": .text(renewal?.rawValue), "launched": .bool(isLaunched),
            "kind": .text(applicationServerKey.map { _ in RegistrationKind.web.rawValue }),
            "applicationServerKey": .text(applicationServerKey), "worker": .text(worker?.rawValue),
        ]
        return members.with(setup, called: "setup")
    }
}

/// A device to make (`Documents#Devices`).
///
/// What of `DeviceState` is set here is what the device begins with: `device.power = .low`.
@dynamicMemberLookup
public struct NewDevice: Sendable {
    /// The device's id; `nil` to generate one.
    public var id: String?
    /// The apps on the device.
    public var apps: [NewApp]
    private var state = DeviceState()
    /// The environment of apps that name none; `nil` for the server's.
    public var environment: APNsEnvironment?
    /// The device's language, a tag such as `en-GB`.
    public var locale: String?
    /// The user's preferred languages, in order, by which an app's strings are chosen; empty for the locale's.
    public var languages: [String] = []
    /// The device's operating system.
    public var platform: Platform?
    /// A label that the devices of one user share.
    public var user: String?
    /// Further members as the control API takes them (`Documents#Members-of-a-device`): `["name": "Kim's iPhone"]`.
    public var further: JSONValue = [:]

    /// Makes an iPhone that is online.
    public init(
        _ id: String? = nil, apps: [NewApp] = [], isOnline: Bool = true, environment: APNsEnvironment? = nil
    ) {
        self.id = id
        self.apps = apps
        self.environment = environment
        self.isOnline = isOnline
    }

    /// A member of its state.
    public subscript<Value>(dynamicMember member: WritableKeyPath<DeviceState, Value>) -> Value {
        get { state[keyPath: member] }
        set { state[keyPath: member] = newValue }
    }

    /// The device as the control API takes it, in a scope or in none.
    func document(scope: String?) -> JSONValue {
        let members: JSONValue = [
            "id": .text(id), "scope": .text(scope), "user": .text(user),
            "environment": .text(environment?.rawValue), "locale": .text(locale),
            "languages": .texts(languages),
            "platform": .text(platform?.rawValue),
            "registrations": .array(apps.map { $0.document() }),
        ]
        return JSONValue.object((members.object ?? []) + DeviceState.fields.remakingMembers(of: state))
            .with(further, called: "further")
    }
}

extension JSONValue {
    /// The members that are not `null`, then the members of another object; anything else becomes a member that is
    /// refused.
    fileprivate func with(_ further: JSONValue, called name: String) -> JSONValue {
        .object((object ?? []).filter { $0.value != .null } + (further.object ?? [JSONMember(name, further)]))
    }
}
