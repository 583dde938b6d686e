internal import APNsRules
internal import MynahCore
internal import Synchronization

// Changes of the state, which a log keeps; the subcommands are in MynahCLI/Commands.

/// Makes devices, all or none, each of the first ``viewsMax`` as an event; returns those.
struct CreateDevices: Command {
    static let viewsMax = 1000
    let specifications: [DeviceSpecification]

    func apply(to simulation: Simulation) throws(InputError) -> [DeviceView] {
        let views = try simulation.devices.createAll(specifications, viewsMax: CreateDevices.viewsMax).views
        for view in views { simulation.events.note(.device(view.json, .created)) }
        return views
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
        simulation.events.note(.device(view.json, isNew ? .created : .changed))
        return (view, isNew)
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
        return try simulation.settleChange(of: id)
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

/// Removes a device; waiting pushes are discarded.
struct RemoveDevice: Command {
    let id: String

    func apply(to simulation: Simulation) throws(InputError) {
        simulation.settle()
        guard let last = simulation.devices.remove(id) else {
            throw InputError.missing("id", "there is no device \(id)")
        }
        simulation.events.note(.device(last.json, .removed))
    }
}

/// Removes the devices that a filter matches, each as an event, or without a filter all as one; returns how many.
struct RemoveDevices: Command {
    let filter: DeviceFilter

    func apply(to simulation: Simulation) -> Int {
        guard filter != DeviceFilter() else {
            let count = simulation.devices.removeAll()
            simulation.events.note(.reset(removed: ["devices": .whole(count)], only: ["devices"], scope: nil))
            return count
        }
        return simulation.devices.remove(where: filter) { simulation.events.note(.device($0.json, .removed)) }
    }
}

/// Adds a live client, by the number that it was given, to a device, which is online while it has one.
struct ConnectDevice: Command {
    let id: String
    let client: UInt64

    func apply(to simulation: Simulation) throws(InputError) {
        simulation.devices.clientNumbers.note(client)
        let time = simulation.devices.time
        let effects = try simulation.devices.shards.withShard(ofID: id) { table throws(InputError) in
            try table.connect(client, to: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let effects else { return }
        simulation.devices.report(effects)
        try simulation.settleChange(of: id)
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
        try simulation.settleChange(of: id)
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
