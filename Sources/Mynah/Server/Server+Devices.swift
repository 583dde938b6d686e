public import APNsRules
package import MynahCore

/// The simulated devices (`ControlAPI#Endpoints`). Each call first processes what is due on the device, and throws
/// ``InputError`` if there is no device or app by that name.
extension Server {
    private static let createdViewsMax = 1000
    private static let fleetPieceCount = 4096
    var fleet: DeviceFleet { core.devices }

    /// Makes devices, all or none; returns the first ``createdViewsMax`` of them, each of which is also an event.
    @discardableResult
    package func createDevices(_ specifications: [DeviceSpecification]) async throws(InputError) -> [DeviceView] {
        var made: [String] = []
        var views: [DeviceView] = []
        do throws(InputError) {
            for specification in specifications {
                var specification = specification
                if specification.id == nil { specification.id = fleet.freshID() }
                for id in specification.ids {
                    let view = try fleet.create(specification, id: id, wantsView: views.count < Server.createdViewsMax)
                    made.append(id)
                    if let view { views.append(view) }
                }
            }
        } catch {
            for id in made { fleet.remove(id) }
            throw error
        }
        for view in views { events.note(.device(view.json, .created)) }
        return views
    }

    /// Makes the devices of a specification with an id, up to a million, on all cores; if one can't be made, others stay.
    package func makeDevices(_ specification: DeviceSpecification) async throws(InputError) {
        let ids = specification.ids
        let failure = await withTaskGroup(of: InputError?.self) { [fleet] group in
            for start in stride(from: 0, to: ids.count, by: Server.fleetPieceCount) {
                group.addTask {
                    do throws(InputError) {
                        for id in ids[start...].prefix(Server.fleetPieceCount) {
                            _ = try fleet.create(specification, id: id, wantsView: false)
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
    }

    /// Makes a device, or replaces the one with its id, which stays if this throws.
    package func putDevice(
        _ specification: DeviceSpecification, id: String
    ) async throws(InputError) -> (view: DeviceView, isNew: Bool) {
        let (view, isNew) = try fleet.replace(specification, id: id)
        events.note(.device(view.json, isNew ? .created : .changed))
        return (view, isNew)
    }

    package func changeDevice(_ id: String, _ patch: DevicePatch) async throws(InputError) -> DeviceView {
        let change = { (table: inout DeviceTable, time: DeviceTime) throws(InputError) in
            try table.change(id, patch, at: time.now, clock: time.now(ofScope:))
        }
        if patch.changesScreen {
            try await fleet.withScreen(of: id) { table, time throws(InputError) in ((), try change(&table, time)) }
        } else {
            try fleet.change(id, change)
        }
        return try await settleChange(of: id)
    }

    /// Changes the devices that a filter matches, each as an event, or none if one of them can't be changed so; returns
    /// how many.
    package func changeDevices(where filter: DeviceFilter, _ patch: DevicePatch) async throws(InputError) -> Int {
        let ids = fleet.ids(where: filter)
        for id in ids {
            try fleet.shards.withShard(ofID: id) { table throws(InputError) in try table.check(patch, of: id) }
        }
        for id in ids { _ = try await changeDevice(id, patch) }
        return ids.count
    }

    /// Notes a change of a device after which waiting pushes may be due at another time; returns the device.
    @discardableResult
    func settleChange(of id: String) async throws(InputError) -> DeviceView {
        let time = core.look()
        core.channels.catchUp(id)
        return try await noteChange(of: id, at: time)
    }

    @discardableResult
    private func noteChange(of id: String, at time: DeviceTime? = nil) async throws(InputError) -> DeviceView {
        let view = try view(of: id, at: time ?? core.look())
        events.note(.device(view.json, .changed))
        return view
    }

    /// Removes a device; waiting pushes are discarded.
    package func removeDevice(_ id: String) async throws(InputError) {
        core.look()
        guard let last = fleet.remove(id) else { throw InputError.missing("id", "there is no device \(id)") }
        events.note(.device(last.json, .removed))
    }

    package func device(_ id: String) async throws(InputError) -> DeviceView {
        try view(of: id, at: core.look())
    }

    private func view(of id: String, at time: DeviceTime) throws(InputError) -> DeviceView {
        try fleet.read(id, at: time) { table, time throws(InputError) in
            try table.view(of: id, at: time.now, clock: time.now(ofScope:))
        }
    }

    package func devices(
        in order: DeviceOrder = DeviceOrder(), where filter: DeviceFilter = DeviceFilter(), after: DevicePlace? = nil,
        limit: Int
    ) async -> (devices: [DeviceView], matched: Int) {
        fleet.list(in: order, where: filter, after: after, limit: limit, at: core.look())
    }

    /// The fleets that have devices, by ID.
    package func fleets() async -> [DeviceFleetView] {
        core.look()
        return fleet.fleets()
    }

    /// Removes the devices that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeDevices(where filter: DeviceFilter = DeviceFilter()) async -> Int {
        guard filter != DeviceFilter() else {
            let count = fleet.removeAll()
            events.note(.reset(removed: ["devices": .whole(count)], only: ["devices"], scope: nil))
            return count
        }
        return fleet.remove(where: filter) { events.note(.device($0.json, .removed)) }
    }

    package var deviceCount: Int { fleet.shards.count }
    /// The number of pushes that are stored for offline devices.
    package var storedCount: Int { fleet.shards.storedCount }
    /// The number of pushes that power or a budget holds back.
    package var deferredCount: Int { fleet.shards.deferredCount }
}

/// The apps of devices.
extension Server {
    package func registerApp(
        on id: String, _ app: RegistrationSpecification
    ) async throws(InputError) -> DeviceTable.Registered {
        let registered = try await registered(app, on: id)
        try await noteChange(of: id)
        return registered
    }

    private func registered(
        _ app: RegistrationSpecification, on id: String
    ) async throws(InputError) -> DeviceTable.Registered {
        let register = { (table: inout DeviceTable, time: DeviceTime) throws(InputError) in
            let registered = try table.register(app, on: id, at: time.now, clock: time.now(ofScope:))
            return (registered, registered.effects)
        }
        let tokens = app.token.map { [$0] } ?? []
        while true {
            // A deleted app's notifications go with it.
            let (isSetUp, isDeleted) = (app.app != AppPatch(), app.rotation == .reinstall)
            let past = isSetUp || isDeleted ? try await fleet.pastWithoutScreen(of: id) : nil
            let needsScreen = isSetUp || past?.isEmpty == false
            let registered: DeviceTable.Registered? = try fleet.claiming(tokens, for: id) {
                table, time throws(InputError) in
                if !needsScreen, past != nil, try !table.hasReceivedNothing(id) { return nil }
                guard needsScreen else { return try register(&table, time) }
                return try table.withScreen(of: id, from: past, at: time.now, clock: time.now(ofScope:)) {
                    table throws(InputError) in
                    try register(&table, time)
                }
            }
            if let registered { return registered }
        }
    }

    /// Changes how an app is set up, by default the one in the device's environment.
    package func changeApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch
    ) async throws(InputError) -> RegistrationView {
        try await fleet.withScreen(of: id) { table, time throws(InputError) in
            let effects = try table.change(
                id, topic: topic, environment: environment, patch, at: time.now, clock: time.now(ofScope:))
            return ((), effects)
        }
        try await settleChange(of: id)
        return try await app(on: id, topic: topic, environment: environment)
    }

    /// Uninstalls an app; its token answers 410 once APNs notices.
    package func uninstallApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) {
        try await fleet.withScreen(of: id, ifReceived: true) { table, time throws(InputError) in
            let effects = try table.uninstall(
                id, topic: topic, environment: environment, at: time.now, clock: time.now(ofScope:))
            return ((), effects)
        }
        try await noteChange(of: id)
    }

    /// An app of a device: the newest registration of its topic.
    package func app(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) -> RegistrationView {
        let view = try await device(id)
        let wanted = environment ?? view.traits.environment
        guard let app = view.registrations.last(where: { $0.topic == topic && $0.environment == wanted }) else {
            throw InputError.missing("topic", "\(id) has no app \(topic) in \(wanted.rawValue)")
        }
        return app
    }
}

/// The pushes that arrived on a device (`ControlAPI#Endpoints`).
public struct DeviceInbox: Sendable {
    /// A push that arrived.
    public struct Item: Sendable {
        /// Its number in the journal.
        public let sequence: UInt64
        /// When the device got it, on its clock.
        public let deliveredAt: Instant
        /// The push; `nil` if it is no longer in the journal.
        package let entry: Entry?
    }

    /// The newest, in the order of arrival.
    package let items: [Item]
    /// How many older ones were dropped to make room.
    package let dropped: UInt64
}

extension Server {
    package func inbox(of id: String) async throws(InputError) -> DeviceInbox {
        let inbox = try fleet.read(id, at: core.look()) { table, time throws(InputError) in
            try table.inbox(of: id, at: time.now, clock: time.now(ofScope:))
        }
        let entries = await fleet.entries(inbox.items)
        return DeviceInbox(
            items: zip(inbox.items, entries).map { item, entry in
                DeviceInbox.Item(sequence: item.sequence, deliveredAt: item.deliveredAt, entry: entry)
            },
            dropped: inbox.dropped)
    }

    /// Returns a stream that signals when something has arrived on a device, or when it is gone; it ends with the server.
    package func watchDevice(_ id: String) async throws(InputError) -> AsyncStream<Void> {
        let stream = fleet.watchers.watch(id)
        _ = try await device(id)
        return stream
    }

    /// Adds a live client to a device, which is online while it has one; returns the client's number.
    package func connectDevice(_ id: String) async throws(InputError) -> UInt64 {
        let client = fleet.takeClientNumber()
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.connect(client, to: id, at: time.now, clock: time.now(ofScope:))
        }
        if let effects {
            fleet.report(effects)
            try await settleChange(of: id)
        }
        return client
    }

    /// Removes a live client from its device, which goes offline with the last one.
    package func disconnectDevice(_ id: String, client: UInt64) async {
        let time = fleet.time
        let effects = fleet.shards.withShard(ofID: id) { table in
            table.disconnect(client, from: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let effects else { return }
        fleet.report(effects)
        do throws(InputError) {
            try await settleChange(of: id)
        } catch {
            // The device was removed after it went offline.
            core.log.deviceGone(id)
        }
    }
}

/// What the user of a device sees and does (`DeviceBehaviour#What-the-user-sees`,
/// `DeviceBehaviour#The-service-extension`, `DeviceBehaviour#Pushes-that-are-not-alerts`). Calls throw ``InputError``
/// if there is no such device, notification or action.
extension Server {
    /// A device's screen, and how its apps were woken (`Documents#Devices`).
    package func screen(of id: String) async throws(InputError) -> JSONValue {
        let time = core.look()
        let seen = try fleet.read(id, at: time) { table, time throws(InputError) in
            try table.seen(of: id, at: time.now, clock: time.now(ofScope:))
        }
        switch seen {
        case .screen(let screen): return screen
        case .copy(let copy, let received):
            return try copy.screen(
                inCopyOf: id, from: await fleet.past(received), at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Acts on a notification by `default`, `dismiss` or an action of its category, with the text if it takes one;
    /// returns what the app receives, `null` for a dismissal that it did not ask for.
    package func act(
        on id: String, sequence: UInt64, action: String, text: String?
    ) async throws(InputError) -> JSONValue {
        let received = try await fleet.withScreen(of: id) { table, time throws(InputError) in
            try table.perform(action, text: text, on: sequence, of: id, at: time.now, clock: time.now(ofScope:))
        }
        return received?.json ?? .null
    }

    /// Removes a notification on behalf of its app.
    package func removeFromScreen(of id: String, sequence: UInt64) async throws(InputError) {
        try await fleet.withScreen(of: id) { table, time throws(InputError) in
            ((), try table.removeFromScreen(sequence, of: id, at: time.now, clock: time.now(ofScope:)))
        }
    }

    /// Removes the notifications that pass a filter, as their apps or the user does; returns how many.
    @discardableResult
    package func clearScreen(
        of id: String, where filter: ScreenFilter = ScreenFilter()
    ) async throws(InputError) -> Int {
        try await fleet.withScreen(of: id) { table, time throws(InputError) in
            try table.clearScreen(of: id, where: filter, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Changes what apps change about a screen, and returns it.
    @discardableResult
    package func changeScreen(of id: String, _ patch: ScreenPatch) async throws(InputError) -> JSONValue {
        try await fleet.withScreen(of: id) { table, time throws(InputError) in
            ((), try table.changeScreen(of: id, patch, at: time.now, clock: time.now(ofScope:)))
        }
        return try await screen(of: id)
    }
}
