public import APNsRules
internal import MynahCore

/// A simulated device as it was when a call answered it, and what can be done with it.
///
/// Its properties do not change by themselves; ``reload()`` reads them anew.
public struct SimulatedDevice: Sendable, Identifiable, CustomStringConvertible {
    /// An app of a device.
    public struct App: Hashable, Sendable {
        /// Its topic.
        public let topic: String
        /// Its token; `nil` while it has none, because it was never launched or there was no network.
        public let token: DeviceToken?
        /// Where the token is good.
        public let environment: APNsEnvironment
        /// Whether the token is good; else a newer one took its place, or the app is gone.
        public let isCurrent: Bool

        init(_ view: RegistrationView) {
            self.topic = view.topic
            self.token = view.token
            self.environment = view.environment
            self.isCurrent = view.state.isCurrent
        }
    }

    /// Why an app registers again (`DeviceBehaviour#Registration-and-tokens`).
    public enum Renewal: String, CaseIterable, Sendable {
        /// The app was deleted and installed again.
        case reinstall
        /// The device was restored from a backup: the app has no token until it is launched.
        case restore
        /// The system was installed anew: all of its apps lose their tokens, and this one is launched.
        case osReinstall
    }

    let server: MynahServer
    private let view: DeviceView

    init(_ view: DeviceView, _ server: MynahServer) {
        self.view = view
        self.server = server
    }

    /// Its id.
    public var id: String { view.id }
    /// Its scope.
    public var scope: String? { view.scope }
    /// Whether APNs reaches it.
    public var isOnline: Bool { view.isOnline }
    /// Its apps, the oldest first, those with tokens that are no longer good included.
    public var apps: [App] { view.registrations.map { App($0) } }
    /// How many pushes are stored for it.
    public var storedCount: Int { view.storedCount }
    /// Everything, as `GET /v1/devices/{id}` answers it.
    public var document: JSONValue { view.json }
    /// `device kim`.
    public var description: String { "device \(id)" }

    /// The token of its only app, or of its first one that has one.
    ///
    /// - Throws: ``MynahError`` when none has.
    public var token: DeviceToken {
        get throws(MynahError) {
            guard let token = apps.first(where: { $0.isCurrent && $0.token != nil })?.token else {
                throw MynahError(.notFound, "\(id) has no app with a token; install one, or let the device go online")
            }
            return token
        }
    }

    /// The token of an app.
    ///
    /// - Throws: ``MynahError`` when there is no such app, or it has none.
    public func token(of topic: String) throws(MynahError) -> DeviceToken {
        guard let token = apps.last(where: { $0.topic == topic && $0.isCurrent })?.token else {
            throw MynahError(.notFound, "\(id) has no app \(topic) with a token")
        }
        return token
    }

    /// The device as it is now.
    ///
    /// - Throws: ``MynahError`` when it is gone.
    public func reload() async throws(MynahError) -> SimulatedDevice {
        let server = server.running
        return SimulatedDevice(try await MynahError.converting { try await server.device(id) }, self.server)
    }

    // MARK: What happens to it

    /// Lets APNs reach it again: what is stored for it is delivered when this returns.
    ///
    /// - Throws: ``MynahError`` when it is gone.
    @discardableResult
    public func goOnline() async throws(MynahError) -> SimulatedDevice { try await change(["online": true]) }

    /// Lets APNs reach it no more: the newest push of each app is stored.
    ///
    /// - Throws: ``MynahError`` when it is gone.
    @discardableResult
    public func goOffline() async throws(MynahError) -> SimulatedDevice { try await change(["online": false]) }

    /// Changes its power; what was held back is delivered where it allows that.
    ///
    /// - Throws: ``MynahError`` when it is gone.
    @discardableResult
    public func setPower(_ power: DevicePower) async throws(MynahError) -> SimulatedDevice {
        try await change(["power": .string(power.rawValue)])
    }

    /// Changes it as `PATCH /v1/devices/{id}` does: `name`, `locale`, `online`, `power`, `focus`, `osVersion`.
    ///
    /// - Throws: ``MynahError`` that names the field.
    @discardableResult
    public func change(_ members: JSONValue) async throws(MynahError) -> SimulatedDevice {
        let server = try self.server.changeable()
        let view = try await MynahError.converting {
            try await server.changeDevice(id, try DevicePatch(json: members))
        }
        return SimulatedDevice(view, self.server)
    }

    /// Removes it; what waits for it is discarded.
    ///
    /// - Throws: ``MynahError`` when it is gone.
    public func remove() async throws(MynahError) {
        let server = try self.server.changeable()
        try await MynahError.converting { try await server.removeDevice(id) }
    }

    // MARK: Its apps

    /// Installs an app, launches it, or lets it register again for another token.
    ///
    /// - Throws: ``MynahError`` that names the field.
    @discardableResult
    public func install(_ app: NewApp, after renewal: Renewal? = nil) async throws(MynahError) -> App {
        let server = try self.server.changeable()
        var members = app.document.object ?? []
        if let renewal { members.append(JSONMember("rotate", .string(renewal.rawValue))) }
        let document = JSONValue.object(members)
        return try await MynahError.converting {
            let specification = try RegistrationSpecification(
                json: document, tokenByteCounts: server.settings.rules.tokenByteCounts)
            return App(try await server.registerApp(on: id, specification).registration)
        }
    }

    /// Changes how an app is set up, as `PATCH …/registrations/{topic}` does: `["appState": "forceQuit"]`.
    ///
    /// - Throws: ``MynahError`` that names the field.
    public func changeApp(_ topic: String, _ members: JSONValue) async throws(MynahError) {
        let server = try self.server.changeable()
        try await MynahError.converting {
            _ = try await server.changeApp(on: id, topic: topic, try AppPatch(json: members))
        }
    }

    /// Uninstalls an app; its token answers 410 once APNs notices, at once unless ``Settings/unregisterDelay`` says
    /// otherwise.
    ///
    /// - Throws: ``MynahError`` when there is no such app.
    public func uninstall(_ topic: String) async throws(MynahError) {
        let server = try self.server.changeable()
        try await MynahError.converting { try await server.uninstallApp(on: id, topic: topic) }
    }
}

extension MynahSimulation {
    /// Makes a device, of a scope's in that scope; by default an iPhone without apps.
    ///
    /// - Throws: ``MynahError`` that names the field, or says that its id or a token is taken.
    @discardableResult
    public func addDevice(_ device: NewDevice = NewDevice()) async throws(MynahError) -> SimulatedDevice {
        let server = try self.server.changeable()
        let document = device.document(scope: scopeName)
        let view = try await MynahError.converting {
            let specification = try DeviceSpecification(
                json: document, tokenByteCounts: server.settings.rules.tokenByteCounts)
            return try await server.createDevices([specification]).first
        }
        guard let view else { preconditionFailure("one device was asked for") }
        return SimulatedDevice(view, self.server)
    }

    /// Makes a device with one app, which has been launched: `addDevice(app: "com.example.app")`.
    ///
    /// - Parameters:
    ///   - id: Its id, one of all of the server's; `nil`: one is made.
    ///   - app: The app, or its topic.
    ///   - isOnline: Whether APNs reaches it.
    /// - Throws: ``MynahError`` that names the field, or says that its id or token is taken.
    @discardableResult
    public func addDevice(
        _ id: String? = nil, app: NewApp, isOnline: Bool = true
    ) async throws(MynahError) -> SimulatedDevice {
        // Registered while there is a network: a device that was never online has no token.
        let device = try await addDevice(NewDevice(id, apps: [app]))
        return isOnline ? device : try await device.goOffline()
    }

    /// A device by its id, of a scope's only its own.
    ///
    /// - Throws: ``MynahError`` when there is no such device.
    public func device(_ id: String) async throws(MynahError) -> SimulatedDevice {
        let running = server.running
        let view = try await MynahError.converting { try await running.device(id) }
        guard scopeName == nil || view.scope == scopeName else {
            throw MynahError(.notFound, "there is no device \(id) in the scope \(scopeName ?? "")")
        }
        return SimulatedDevice(view, server)
    }
}
