package import APNsRules
package import MynahCore

/// What arrived on a device, oldest first (`ControlAPI#Endpoints`).
package struct DeviceInbox: Sendable {
    /// A push that arrived.
    package struct Item: Sendable {
        /// Its number.
        package let sequence: UInt64
        /// When the device got it.
        package let deliveredAt: Instant
        /// What it was; `nil` when the journal has evicted it or somebody removed it there.
        package let entry: Entry?
    }

    /// In the order of arrival.
    package let items: [Item]
    /// How many older ones went to make room.
    package let dropped: UInt64
}

/// What arrives on devices, and who is there to see it.
extension Server {
    /// What arrived on a device.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func inbox(of id: String) async throws(DeviceError) -> DeviceInbox {
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.inbox(of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        let entries = await fleet.entries(reading.value.items)
        return DeviceInbox(
            items: zip(reading.value.items, entries).map { item, entry in
                DeviceInbox.Item(sequence: item.sequence, deliveredAt: item.deliveredAt, entry: entry)
            },
            dropped: reading.value.dropped)
    }

    /// Signals whenever something arrived on a device, several arrivals maybe in one signal, and when it is gone; ends
    /// when the server does.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func watchDevice(_ id: String) async throws(DeviceError) -> AsyncStream<Void> {
        let stream = fleet.watchers.watch(id)
        _ = try await device(id)
        return stream
    }

    /// Adds a live client to a device, which is online while it has one; answers the client's number.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func connectDevice(_ id: String) async throws(DeviceError) -> UInt64 {
        let client = fleet.takeClientNumber()
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.connect(client, to: id, at: time.now, clock: time.now(ofScope:))
        }
        if let effects { _ = try await finishChange(of: id, effects) }
        return client
    }

    /// Removes a live client from its device, which goes offline with the last one.
    package func disconnectDevice(_ id: String, client: UInt64) async {
        let time = fleet.time
        let effects = fleet.shards.withShard(ofID: id) { table in
            table.disconnect(client, from: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let effects else { return }
        do throws(DeviceError) {
            _ = try await finishChange(of: id, effects)
        } catch {
            // Removed after it went offline: there is no device whose change could be an event.
            core.log.deviceGone(id)
        }
    }

    // MARK: Scopes

    /// The scopes that have devices or fault rules, and how many, by name.
    package func scopes() async -> [(name: String, devices: Int, faults: Int)] {
        let devices = Dictionary(uniqueKeysWithValues: fleet.scopeCounts().map { ($0.name, $0.devices) })
        var faults: [String: Int] = [:]
        for rule in core.faults.snapshot.set.rules {
            if let scope = rule.scope { faults[scope, default: 0] += 1 }
        }
        return Set(devices.keys).union(faults.keys).sorted().map { ($0, devices[$0] ?? 0, faults[$0] ?? 0) }
    }
}
