public import APNsRules
package import MynahCore

/// The simulated devices (`ControlAPI#Endpoints`). Each call first processes what is due on the device, and throws
/// ``InputError`` if there is no device or app by that name.
extension Server {
    var fleet: DeviceFleet { simulation.devices }

    package func device(_ id: String) async throws(InputError) -> DeviceView {
        try fleet.view(of: id, at: await look())
    }

    package func devices(
        in order: DeviceOrder = DeviceOrder(), where filter: DeviceFilter = DeviceFilter(), after: DevicePlace? = nil,
        limit: Int
    ) async -> (devices: [DeviceView], matched: Int) {
        fleet.list(in: order, where: filter, after: after, limit: limit, at: await look())
    }

    /// The fleets that have devices, by ID.
    package func fleets() async -> [DeviceFleetView] {
        await look()
        return fleet.fleets()
    }

    package var deviceCount: Int { fleet.shards.count }
    /// The number of pushes that are stored for offline devices.
    package var storedCount: Int { fleet.shards.storedCount }
    /// The number of pushes that a device's state or a budget holds back.
    package var deferredCount: Int { fleet.shards.deferredCount }
}

/// The apps of devices.
extension Server {
    /// An app of a device: the newest registration of its topic.
    package func app(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) -> RegistrationView {
        try Server.app(of: try await device(id), topic: topic, environment: environment)
    }

    static func app(
        of device: DeviceView, topic: String, environment: APNsEnvironment?
    ) throws(InputError) -> RegistrationView {
        let wanted = APNsEnvironment.ofApp(topic, given: environment, usual: device.traits.environment)
        guard let app = device.registrations.last(where: { $0.topic == topic && $0.environment == wanted }) else {
            throw InputError.missing("topic", "\(device.id) has no app \(topic) in \(wanted.rawValue)")
        }
        return app
    }
}

/// The pushes that arrived on a device (`ControlAPI#Endpoints`).
public struct DeviceInbox: Sendable {
    /// A push that arrived.
    public struct Item: Sendable {
        /// The push's sequence number in the journal.
        public let sequence: UInt64
        /// When the device got the push, on the device's clock.
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
        let inbox = try fleet.read(id, at: await look()) { table, time throws(InputError) in
            try table.inbox(of: id, at: time.now, clock: time.now(ofScope:))
        }
        // Waiting until the journal is settled also finds which push each one repeats.
        _ = await journal.settled()
        let entries = fleet.entries(inbox.items)
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
        let client = try takeClientNumber()
        try await perform(ConnectDevice(id: id, client: client))
        return client
    }

    /// Removes a live client from its device, which goes offline with the last one; while the run can't be kept, as soon
    /// as it can.
    package func disconnectDevice(_ id: String, client: UInt64) {
        let gone = DisconnectDevice(id: id, client: client)
        // It isn't done if the device was removed meanwhile.
        let report = { @Sendable [simulation] (isDone: Bool) in if !isDone { simulation.log.deviceGone(id) } }
        guard let order else { return report((try? simulation.perform(gone)) != nil) }
        order.record(gone) { report($0 != nil) }
    }
}

/// What the user of a device sees and does (`DeviceBehaviour#What-the-user-sees`,
/// `DeviceBehaviour#The-service-extension`, `DeviceBehaviour#Pushes-that-are-not-alerts`). Calls throw ``InputError``
/// if there is no such device, notification or action.
extension Server {
    /// A device's screen, and how its apps were woken (`Documents#Devices`).
    package func screen(of id: String) async throws(InputError) -> JSONValue {
        let time = await look()
        let seen = try fleet.read(id, at: time) { table, time throws(InputError) in
            try table.seen(of: id, at: time.now, clock: time.now(ofScope:))
        }
        switch seen {
        case .screen(let screen): return screen
        case .copy(let copy, let received):
            // Until all deliveries are recorded.
            _ = await journal.settled()
            return try copy.screen(
                inCopyOf: id, from: fleet.past(received), at: time.now, clock: time.now(ofScope:))
        }
    }
}
