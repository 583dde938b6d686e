public import APNsRules
package import MynahCore

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

/// What arrives on devices, and the live clients that read it; all calls throw ``InputError`` if there is no such device.
extension Server {
    /// Returns what arrived on a device.
    package func inbox(of id: String) async throws(InputError) -> DeviceInbox {
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
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
        do throws(InputError) {
            _ = try await finishChange(of: id, effects)
        } catch {
            // The device was removed after it went offline.
            core.log.deviceGone(id)
        }
    }
}
