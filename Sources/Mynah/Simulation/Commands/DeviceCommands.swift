internal import APNsRules
package import MynahCore
internal import Synchronization

/// Makes devices, all or none, each of the first ``viewsMax`` as an event; returns those.
struct CreateDevices: Command {
    static let viewsMax = 1000
    let specifications: [DeviceSpecification]

    func apply(to simulation: Simulation) throws(InputError) -> [DeviceView] {
        let views = try simulation.devices.createAll(specifications, viewsMax: CreateDevices.viewsMax).views
        for view in views { simulation.events.record(.device(view.json, .created)) }
        return views
    }
}

extension Server {
    /// Makes devices, all or none; returns the first ``CreateDevices/viewsMax`` of them, each of which is also an event.
    @discardableResult
    package func createDevices(_ specifications: [DeviceSpecification]) async throws(InputError) -> [DeviceView] {
        try await perform(CreateDevices(specifications: specifications))
    }
}

/// Makes the devices of fixtures, all or none, now and after each reset; errors are below `/devices`.
struct LoadDevices: Command {
    let specifications: [DeviceSpecification]

    func apply(to simulation: Simulation) throws(InputError) {
        let made = try simulation.devices.createAll(specifications, place: "/devices").specifications
        simulation.baseline.withLock { $0.devices += made }
    }
}

/// Makes a device, or replaces the one with its id, which stays if this throws.
struct PutDevice: Command {
    let id: String
    let specification: DeviceSpecification

    func apply(to simulation: Simulation) throws(InputError) -> (view: DeviceView, isNew: Bool) {
        let (view, isNew) = try simulation.devices.replace(specification, id: id)
        simulation.events.record(.device(view.json, isNew ? .created : .changed))
        return (view, isNew)
    }
}

extension Server {
    /// Makes a device, or replaces the one with its id, which stays if this throws.
    package func putDevice(
        _ specification: DeviceSpecification, id: String
    ) async throws(InputError) -> (view: DeviceView, isNew: Bool) {
        try await perform(PutDevice(id: id, specification: specification))
    }
}

struct ChangeDevice: Command {
    let id: String
    let patch: DevicePatch

    func apply(to simulation: Simulation) throws(InputError) -> DeviceView {
        let change = { (table: inout DeviceTable, time: DeviceTime) throws(InputError) in
            try table.change(id, patch, at: time.now, clock: time.now(ofScope:))
        }
        if patch.changesScreen {
            try simulation.devices.withScreen(of: id) { table, time throws(InputError) in
                ((), try change(&table, time))
            }
        } else {
            try simulation.devices.change(id, change)
        }
        return try simulation.settleAndRecordChange(of: id)
    }
}

extension Server {
    package func changeDevice(_ id: String, _ patch: DevicePatch) async throws(InputError) -> DeviceView {
        try await perform(ChangeDevice(id: id, patch: patch))
    }
}

/// Changes the devices that a filter matches, each as an event, or none if one of them can't be changed so; returns how
/// many.
struct ChangeDevices: Command {
    let filter: DeviceFilter
    let patch: DevicePatch

    func apply(to simulation: Simulation) throws(InputError) -> Int {
        let ids = simulation.devices.ids(where: filter)
        for id in ids {
            try simulation.devices.shards.withShard(ofID: id) { table throws(InputError) in
                try table.check(patch, of: id)
            }
        }
        for id in ids { _ = try ChangeDevice(id: id, patch: patch).apply(to: simulation) }
        return ids.count
    }
}

extension Server {
    /// Changes the devices that a filter matches, each as an event, or none if one of them can't be changed so; returns
    /// how many.
    package func changeDevices(where filter: DeviceFilter, _ patch: DevicePatch) async throws(InputError) -> Int {
        try await perform(ChangeDevices(filter: filter, patch: patch))
    }
}

/// Removes a device; waiting pushes are discarded.
struct RemoveDevice: Command {
    let id: String

    func apply(to simulation: Simulation) throws(InputError) {
        simulation.settle()
        guard let last = simulation.devices.remove(id) else {
            throw InputError.missing("id", "there is no device \(id)")
        }
        simulation.events.record(.device(last.json, .removed))
    }
}

extension Server {
    /// Removes a device; waiting pushes are discarded.
    package func removeDevice(_ id: String) async throws(InputError) { try await perform(RemoveDevice(id: id)) }
}

/// Removes the devices that a filter matches, each as an event, or without a filter all as one; returns how many.
struct RemoveDevices: Command {
    let filter: DeviceFilter

    func apply(to simulation: Simulation) -> Int {
        guard filter != DeviceFilter() else {
            let count = simulation.devices.removeAll()
            simulation.events.record(.reset(removed: ["devices": .whole(count)], only: ["devices"], scope: nil))
            return count
        }
        return simulation.devices.remove(where: filter) { simulation.events.record(.device($0.json, .removed)) }
    }
}

extension Server {
    /// Removes the devices that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeDevices(where filter: DeviceFilter = DeviceFilter()) async throws(InputError) -> Int {
        try await perform(RemoveDevices(filter: filter))
    }
}

/// Adds a live client, by the number that it was given, to a device, which is online while it has one.
struct ConnectDevice: Command {
    let id: String
    let client: UInt64

    func apply(to simulation: Simulation) throws(InputError) {
        simulation.devices.clientNumbers.recordUsed(client)
        let time = simulation.devices.time
        let effects = try simulation.devices.shards.withShard(ofID: id) { table throws(InputError) in
            try table.connect(client, to: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let effects else { return }
        simulation.devices.report(effects)
        try simulation.settleAndRecordChange(of: id)
    }
}

/// Removes a live client from its device, which goes offline with the last one; does nothing if the device is gone.
struct DisconnectDevice: Command {
    let id: String
    let client: UInt64

    func apply(to simulation: Simulation) throws(InputError) {
        let time = simulation.devices.time
        let effects = simulation.devices.shards.withShard(ofID: id) { table in
            table.disconnect(client, from: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let effects else { return }
        simulation.devices.report(effects)
        try simulation.settleAndRecordChange(of: id)
    }
}

extension Simulation {
    /// Removes all live clients, as if each had disconnected, in the order of their devices' ids.
    func disconnectClients() throws(InputError) {
        let connected = devices.shards.forEachShard { $0.connected }.flatMap(\.self).sorted { $0.id < $1.id }
        for device in connected {
            for client in device.clients.sorted() {
                try DisconnectDevice(id: device.id, client: client).apply(to: self)
            }
        }
    }
}

extension CommandKind {
    static let devices: Numbered = [
        2: CreateDevices.self,
        3: LoadDevices.self,
        4: PutDevice.self,
        5: ChangeDevice.self,
        6: ChangeDevices.self,
        7: RemoveDevice.self,
        8: RemoveDevices.self,
        9: ConnectDevice.self,
        10: DisconnectDevice.self,
    ]
}
