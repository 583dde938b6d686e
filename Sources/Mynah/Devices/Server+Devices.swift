package import APNsRules
package import MynahCore

/// The simulated devices (`ControlAPI#Endpoints`).
///
/// Each call first processes what is due on the device; when it returns, the journal has what it did to waiting pushes.
/// Calls throw ``InputError`` if there is no such device or app.
extension Server {
    /// The most devices that ``createDevices(_:)`` returns; the rest of a fleet can be listed.
    package static let createdViewsMax = 1000

    /// Makes devices, all or none; returns the first ``createdViewsMax`` of them, each of which is also an event.
    ///
    /// - Throws: ``InputError`` if an id or a token is taken.
    @discardableResult
    package func createDevices(_ specifications: [DeviceSpecification]) async throws(InputError) -> [DeviceView] {
        var made: [String] = []
        var views: [DeviceView] = []
        for specification in specifications {
            for id in specification.id == nil ? [freshDeviceID()] : specification.ids {
                do throws(InputError) {
                    let view = try fleet.create(specification, id: id, wantsView: views.count < Server.createdViewsMax)
                    made.append(id)
                    if let view { views.append(view) }
                } catch {
                    for id in made { fleet.removeIfThere(id) }
                    throw error
                }
            }
        }
        for view in views { events.note(.device(view.json, .created)) }
        return views
    }

    /// Makes a device, or replaces the one with its id and all its apps.
    ///
    /// - Throws: ``InputError``; the previous device then stays, unless a token was taken meanwhile.
    package func putDevice(
        _ specification: DeviceSpecification, id: String
    ) async throws(InputError) -> (view: DeviceView, isNew: Bool) {
        try fleet.check(specification, inPlaceOf: id)
        let isNew = !fleet.removeIfThere(id)
        guard let view = try fleet.create(specification, id: id, wantsView: true) else {
            preconditionFailure("a view was asked for")
        }
        events.note(.device(view.json, isNew ? .created : .changed))
        return (view, isNew)
    }

    /// Changes a device.
    package func changeDevice(_ id: String, _ patch: DevicePatch) async throws(InputError) -> DeviceView {
        if patch.locale != nil || patch.focus != nil { try await fleet.ensureScreen(of: id) }
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.change(id, patch, at: time.now, clock: time.now(ofScope:))
        }
        return try await finishChange(of: id, effects)
    }

    /// Reports the effects of a change of a device; returns the device.
    func finishChange(of id: String, _ effects: Effects) async throws(InputError) -> DeviceView {
        fleet.report(effects)
        // Waiting pushes may be due at another time than before.
        fleet.settle()
        return try await noteChange(of: id)
    }

    /// Removes a device; waiting pushes are discarded.
    package func removeDevice(_ id: String) async throws(InputError) {
        let last = try await device(id)
        guard fleet.removeIfThere(id) else { throw InputError(.notFound, "there is no device \(id)") }
        events.note(.device(last.json, .removed))
    }

    /// Notes a change of a device as an event; returns the device.
    @discardableResult
    private func noteChange(of id: String) async throws(InputError) -> DeviceView {
        let view = try await device(id)
        events.note(.device(view.json, .changed))
        return view
    }

    package func device(_ id: String) async throws(InputError) -> DeviceView {
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.view(of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        return reading.value
    }

    /// Devices by id, those after `after`.
    package func devices(
        where filter: DeviceFilter = DeviceFilter(), after: String? = nil, limit: Int
    ) async -> (devices: [DeviceView], matched: Int) {
        fleet.list(where: filter, after: after, limit: limit)
    }

    /// Removes the devices that a filter matches; returns how many there were.
    ///
    /// Each is an event, or, without a filter, all are one.
    package func removeDevices(where filter: DeviceFilter = DeviceFilter()) async -> Int {
        guard filter != DeviceFilter() else {
            let count = fleet.removeAll()
            events.note(.reset(removed: ["devices": .number(JSONNumber(count))], only: ["devices"], scope: nil))
            return count
        }
        return fleet.remove(where: filter) { events.note(.device($0.json, .removed)) }
    }

    /// An id that no device has.
    package func freshDeviceID() -> String { fleet.freshID() }

    /// The number of known device tokens.
    public var deviceCount: Int { fleet.shards.count }

    /// The number of pushes that are stored for offline devices.
    public var storedCount: Int { fleet.shards.storedCount }

    /// The number of pushes that power or a budget holds back.
    public var deferredCount: Int { fleet.shards.deferredCount }

    /// Makes a device token known.
    package func register(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, state: DeviceTable.State = .active
    ) {
        fleet.shards.register(token, topic: topic, environment: environment, state: state, at: now)
    }

    var fleet: DeviceFleet { core.devices }
}

// MARK: - Apps

extension Server {
    /// Installs an app on a device, launches it, or gives it another token.
    package func registerApp(
        on id: String, _ app: RegistrationSpecification
    ) async throws(InputError) -> DeviceTable.Registered {
        if app.app != AppPatch() { try await fleet.ensureScreen(of: id) }
        let time = fleet.time
        let given = app.token.map { [$0] } ?? []
        let (claimed, effects) = try fleet.shards.claim(given, for: id, at: time.now)
        let registered: DeviceTable.Registered
        do throws(InputError) {
            registered = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
                try table.register(app, on: id, at: time.now, clock: time.now(ofScope:))
            }
        } catch {
            fleet.shards.unclaim(claimed)
            throw error
        }
        fleet.report(effects)
        fleet.report(registered.effects)
        try await noteChange(of: id)
        return registered
    }

    /// Changes how an app is set up, by default the one in the device's environment.
    package func changeApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch
    ) async throws(InputError) -> RegistrationView {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.change(id, topic: topic, environment: environment, patch, at: time.now, clock: time.now(ofScope:))
        }
        _ = try await finishChange(of: id, effects)
        return try await app(on: id, topic: topic, environment: environment)
    }

    /// Uninstalls an app; its token answers 410 once APNs notices.
    package func uninstallApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) {
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.uninstall(id, topic: topic, environment: environment, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(effects)
        try await noteChange(of: id)
    }

    /// An app of a device: the newest registration of its topic.
    package func app(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) -> RegistrationView {
        let view = try await device(id)
        let wanted = environment ?? view.traits.environment
        guard let app = view.registrations.last(where: { $0.topic == topic && $0.environment == wanted }) else {
            throw InputError(.notFound, "\(id) has no app \(topic) in \(wanted.rawValue)")
        }
        return app
    }
}
