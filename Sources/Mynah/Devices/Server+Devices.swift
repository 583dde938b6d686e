package import APNsRules
package import MynahCore

/// The simulated devices (`ControlAPI#Endpoints`).
///
/// Each call first does what has fallen due on the device, and when it answers the journal says what it did to pushes
/// that waited.
extension Server {
    /// Views that ``createDevices(_:)`` answers at most; the rest of a fleet can be listed.
    package static let createdViewsMax = 1000

    /// Makes devices, all of them or none; answers the first ``createdViewsMax`` of them.
    ///
    /// A specification with a count stands for so many; those that are answered are told as events.
    /// - Throws: ``DeviceError`` when an id or a token is taken.
    @discardableResult
    package func createDevices(_ specifications: [DeviceSpecification]) async throws(DeviceError) -> [DeviceView] {
        var made: [String] = []
        var views: [DeviceView] = []
        for specification in specifications {
            for id in specification.id == nil ? [freshDeviceID()] : specification.ids {
                do throws(DeviceError) {
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

    /// Makes a device, or puts it in the place of the one with its id, whose apps are then gone.
    ///
    /// - Throws: ``DeviceError``; then the device of before is as it was, unless a token was taken meanwhile.
    package func putDevice(
        _ specification: DeviceSpecification, id: String
    ) async throws(DeviceError) -> (view: DeviceView, isNew: Bool) {
        try fleet.check(specification, inPlaceOf: id)
        let isNew = !fleet.removeIfThere(id)
        guard let view = try fleet.create(specification, id: id, wantsView: true) else {
            preconditionFailure("a view was asked for")
        }
        events.note(.device(view.json, isNew ? .created : .changed))
        return (view, isNew)
    }

    /// Changes a device.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func changeDevice(_ id: String, _ patch: DevicePatch) async throws(DeviceError) -> DeviceView {
        if patch.locale != nil || patch.focus != nil { try await fleet.ensureScreen(of: id) }
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.change(id, patch, at: time.now, clock: time.now(ofScope:))
        }
        return try await finishChange(of: id, effects)
    }

    /// Does what follows from a change of a device; answers the device as it is now.
    ///
    /// - Throws: ``DeviceError`` when the device was removed meanwhile.
    func finishChange(of id: String, _ effects: Effects) async throws(DeviceError) -> DeviceView {
        fleet.report(effects)
        // What waits may fall due at another time than before.
        fleet.settle()
        return try await tellChange(of: id)
    }

    /// Removes a device; what waits for it is discarded.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func removeDevice(_ id: String) async throws(DeviceError) {
        let last = try await device(id)
        guard fleet.removeIfThere(id) else { throw DeviceError(.notFound, "there is no device \(id)") }
        events.note(.device(last.json, .removed))
    }

    /// Tells a change of a device as an event; answers the device as it is now.
    @discardableResult
    private func tellChange(of id: String) async throws(DeviceError) -> DeviceView {
        let view = try await device(id)
        events.note(.device(view.json, .changed))
        return view
    }

    /// A device.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func device(_ id: String) async throws(DeviceError) -> DeviceView {
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
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

    /// Removes the devices that a filter holds for, each noted as an event, or, without a filter, all as one; answers
    /// how many there were.
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

    /// How many device tokens are known.
    public var deviceCount: Int { fleet.shards.count }

    /// How many pushes are stored for devices that are offline.
    public var storedCount: Int { fleet.shards.storedCount }

    /// How many pushes power or a budget holds back.
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
    ///
    /// - Throws: ``DeviceError``.
    package func registerApp(
        on id: String, _ app: RegistrationSpecification
    ) async throws(DeviceError) -> DeviceTable.Registered {
        if app.app != AppPatch() { try await fleet.ensureScreen(of: id) }
        let time = fleet.time
        let given = app.token.map { [$0] } ?? []
        let (claimed, effects) = try fleet.shards.claim(given, for: id, at: time.now)
        let registered: DeviceTable.Registered
        do throws(DeviceError) {
            registered = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
                try table.register(app, on: id, at: time.now, clock: time.now(ofScope:))
            }
        } catch {
            fleet.shards.unclaim(claimed)
            throw error
        }
        fleet.report(effects)
        fleet.report(registered.effects)
        try await tellChange(of: id)
        return registered
    }

    /// Changes how an app is set up; in the device's environment where none is given.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or app.
    package func changeApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch
    ) async throws(DeviceError) -> RegistrationView {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.change(id, topic: topic, environment: environment, patch, at: time.now, clock: time.now(ofScope:))
        }
        _ = try await finishChange(of: id, effects)
        return try await app(on: id, topic: topic, environment: environment)
    }

    /// Uninstalls an app; its token answers 410 once APNs notices.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or app.
    package func uninstallApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(DeviceError) {
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.uninstall(id, topic: topic, environment: environment, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(effects)
        try await tellChange(of: id)
    }

    /// An app of a device: the newest registration of its topic.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or app.
    package func app(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(DeviceError) -> RegistrationView {
        let view = try await device(id)
        let wanted = environment ?? view.traits.environment
        guard let app = view.registrations.last(where: { $0.topic == topic && $0.environment == wanted }) else {
            throw DeviceError(.notFound, "\(id) has no app \(topic) in \(wanted.rawValue)")
        }
        return app
    }
}
