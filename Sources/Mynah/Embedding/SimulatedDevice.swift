public import APNsRules
public import MynahCore

/// A simulated device: a snapshot of its properties, which ``reload()`` reads again, and calls that change it.
///
/// A call throws ``MynahError``: ``MynahError/Code/notFound`` if the device or app is gone, ``MynahError/Code/invalid``
/// with the field of an impossible value, ``MynahError/Code/stopped`` if the server has been stopped.
///
/// It has the members of its `DeviceState`, such as `device.power`, and ``set(_:to:)`` changes them:
/// `device.set(\.power, to: .low)`.
@dynamicMemberLookup
public struct SimulatedDevice: Sendable, Identifiable, CustomStringConvertible {
    /// An app of a device.
    public typealias App = RegistrationView
    /// Why an app registers again.
    public typealias Renewal = Rotation

    let server: MynahServer
    private let view: DeviceView
    init(_ view: DeviceView, _ server: MynahServer) {
        self.view = view
        self.server = server
    }
    /// The device's id.
    public var id: String { view.id }
    /// The scope that the device belongs to.
    public var scope: String? { view.scope }
    /// A label that the devices of one user share.
    public var user: String? { view.traits.user }
    /// The device's apps, oldest first, including apps whose tokens have ended.
    public var apps: [App] { view.registrations }
    /// How many pushes are stored for the device.
    public var storedCount: Int { view.storedCount }
    /// The whole device as `GET /v1/devices/{id}` answers it.
    public var document: JSONValue { view.json }
    /// `device kim`.
    public var description: String { "device \(id)" }

    /// A member of its state.
    public subscript<Value>(dynamicMember member: KeyPath<DeviceState, Value>) -> Value {
        view.profile.state[keyPath: member]
    }

    /// The token of the device's only app, or of the first app that has a token.
    public var token: DeviceToken {
        get throws(MynahError) {
            guard let token = apps.first(where: { $0.isCurrent && $0.token != nil })?.token else {
                throw MynahError(.notFound, "\(id) has no app with a token: install one, or let the device go online")
            }
            return token
        }
    }

    /// The token of an app.
    public func token(of topic: String) throws(MynahError) -> DeviceToken {
        guard let token = apps.last(where: { $0.topic == topic && $0.isCurrent })?.token else {
            throw MynahError(.notFound, "\(id) has no app \(topic) with a token")
        }
        return token
    }

    /// The subscription of a web app, by its origin.
    public func subscription(of origin: String) throws(MynahError) -> BrowserSubscription {
        guard let web = apps.last(where: { $0.topic == origin && $0.isCurrent })?.web else {
            throw MynahError(.notFound, "\(id) has no web app \(origin)")
        }
        guard let document = web.subscription, let subscription = BrowserSubscription(document) else {
            throw MynahError(
                .notFound, "\(origin) has no subscription on \(id): expected a web app with a token, and webPushPort")
        }
        return subscription
    }

    /// Reads the device again.
    public func reload() async throws(MynahError) -> SimulatedDevice {
        SimulatedDevice(try await MynahError.converting { try await server.running.device(id) }, server)
    }

    /// Connects it to APNs; what is stored for it is delivered when this returns.
    @discardableResult
    public func goOnline() async throws(MynahError) -> SimulatedDevice { try await set(\.isOnline, to: true) }
    /// Disconnects it from APNs, which then stores the newest push of each app.
    @discardableResult
    public func goOffline() async throws(MynahError) -> SimulatedDevice { try await set(\.isOnline, to: false) }

    /// Changes a member of its state, as in `set(\.power, to: .low)`; what it no longer holds back is delivered.
    @discardableResult
    public func set<Value: Sendable>(
        _ member: any WritableKeyPath<DeviceState, Value> & Sendable, to value: Value
    ) async throws(MynahError) -> SimulatedDevice {
        try await change(.object([DeviceState.member(member, value)]))
    }

    /// Changes it by members that `PATCH /v1/devices/{id}` takes (`Documents#Members-of-a-device`): `["locked": true]`.
    @discardableResult
    public func change(_ members: JSONValue) async throws(MynahError) -> SimulatedDevice {
        let view = try await server.change { try await $0.changeDevice(id, try DevicePatch(json: members)) }
        return SimulatedDevice(view, server)
    }

    /// Removes the device; pushes that are stored for it are discarded.
    public func remove() async throws(MynahError) { try await server.change { try await $0.removeDevice(id) } }

    /// Installs an app, launches it, or lets it register again for another token.
    @discardableResult
    public func install(_ app: NewApp, after renewal: Renewal? = nil) async throws(MynahError) -> App {
        try await server.change { server in
            let specification = try RegistrationSpecification(
                json: app.document(after: renewal), tokenByteCounts: server.settings.rules.tokenByteCounts)
            return try await server.registerApp(on: id, specification).registration
        }
    }

    /// Changes how an app is set up, as `PATCH …/registrations/{topic}` does: `["appState": "forceQuit"]`.
    public func changeApp(_ topic: String, _ members: JSONValue) async throws(MynahError) {
        _ = try await server.change { try await $0.changeApp(on: id, topic: topic, try AppPatch(json: members)) }
    }

    /// Uninstalls an app; its token answers 410 after ``Settings/unregisterDelay``, by default at once.
    public func uninstall(_ topic: String) async throws(MynahError) {
        try await server.change { try await $0.uninstallApp(on: id, topic: topic) }
    }
}

extension MynahSimulation {
    /// Makes a device, by default an iPhone without apps; through a scope it belongs to that scope.
    @discardableResult
    public func addDevice(_ device: NewDevice = NewDevice()) async throws(MynahError) -> SimulatedDevice {
        let document = device.document(scope: scopeName)
        let view = try await server.change { server in
            let specification = try DeviceSpecification(
                json: document, tokenByteCounts: server.settings.rules.tokenByteCounts,
                environment: server.settings.usualEnvironment)
            return try await server.createDevices([specification]).first
        }
        guard let view else { preconditionFailure("one device was asked for") }
        return SimulatedDevice(view, server)
    }

    /// Makes a device with one app, which has been launched: `addDevice(app: "com.example.app")`; its id is unique in
    /// the server, by default a new one.
    @discardableResult
    public func addDevice(
        _ id: String? = nil, app: NewApp, isOnline: Bool = true
    ) async throws(MynahError) -> SimulatedDevice {
        // Registered while there is a network: a device that was never online has no token.
        let device = try await addDevice(NewDevice(id, apps: [app]))
        return isOnline ? device : try await device.goOffline()
    }

    /// Changes all devices of a user, as ``SimulatedDevice/change(_:)`` does one, or none if one can't be changed so;
    /// returns how many, in a scope only of its own.
    @discardableResult
    public func changeDevices(ofUser user: String, _ members: JSONValue) async throws(MynahError) -> Int {
        let parameters = [("user", user)] + (scopeName.map { [("scope", $0)] } ?? [])
        return try await server.change {
            try await $0.changeDevices(
                where: DeviceFilter(parameters: parameters.map { (name: $0, value: $1) }), DevicePatch(json: members))
        }
    }

    /// Looks up a device by its id; in a scope only its own.
    public func device(_ id: String) async throws(MynahError) -> SimulatedDevice {
        let view = try await MynahError.converting { try await server.running.device(id) }
        guard scopeName == nil || view.scope == scopeName else {
            throw MynahError(.notFound, "there is no device \(id) in the scope \(scopeName ?? "")")
        }
        return SimulatedDevice(view, server)
    }
}
