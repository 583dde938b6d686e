public import APNsRules
package import MynahCore

/// The simulated devices (`ControlAPI#Endpoints`). Each call first processes what is due on the device, and throws
/// ``InputError`` if there is no device or app by that name.
extension Server {
    var fleet: DeviceFleet { simulation.devices }

    /// Makes devices, all or none; returns the first ``CreateDevices/viewsMax`` of them, each of which is also an event.
    @discardableResult
    package func createDevices(_ specifications: [DeviceSpecification]) async throws(InputError) -> [DeviceView] {
        try await perform(CreateDevices(specifications: specifications))
    }

    /// Makes a device, or replaces the one with its id, which stays if this throws.
    package func putDevice(
        _ specification: DeviceSpecification, id: String
    ) async throws(InputError) -> (view: DeviceView, isNew: Bool) {
        try await perform(PutDevice(id: id, specification: specification))
    }

    package func changeDevice(_ id: String, _ patch: DevicePatch) async throws(InputError) -> DeviceView {
        try await perform(ChangeDevice(id: id, patch: patch))
    }

    /// Changes the devices that a filter matches, each as an event, or none if one of them can't be changed so; returns
    /// how many.
    package func changeDevices(where filter: DeviceFilter, _ patch: DevicePatch) async throws(InputError) -> Int {
        try await perform(ChangeDevices(filter: filter, patch: patch))
    }

    /// Removes a device; waiting pushes are discarded.
    package func removeDevice(_ id: String) async throws(InputError) { try await perform(RemoveDevice(id: id)) }

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

    /// Removes the devices that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeDevices(where filter: DeviceFilter = DeviceFilter()) async throws(InputError) -> Int {
        try await perform(RemoveDevices(filter: filter))
    }

    package var deviceCount: Int { fleet.shards.count }
    /// The number of pushes that are stored for offline devices.
    package var storedCount: Int { fleet.shards.storedCount }
    /// The number of pushes that a device's state or a budget holds back.
    package var deferredCount: Int { fleet.shards.deferredCount }
}

/// The apps of devices.
extension Server {
    package func registerApp(
        on id: String, _ app: RegistrationSpecification
    ) async throws(InputError) -> DeviceTable.Registered {
        try await perform(RegisterApp(device: id, app: app))
    }

    /// Changes how an app is set up, by default the one in the device's environment.
    package func changeApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch
    ) async throws(InputError) -> RegistrationView {
        let device = try await perform(
            ChangeApp(device: id, topic: topic, environment: environment, patch: patch))
        return try Server.app(of: device, topic: topic, environment: environment)
    }

    /// Uninstalls an app; its token answers 410 once APNs notices.
    package func uninstallApp(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) {
        try await perform(UninstallApp(device: id, topic: topic, environment: environment))
    }

    /// An app of a device: the newest registration of its topic.
    package func app(
        on id: String, topic: String, environment: APNsEnvironment? = nil
    ) async throws(InputError) -> RegistrationView {
        try Server.app(of: try await device(id), topic: topic, environment: environment)
    }

    private static func app(
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
        let inbox = try fleet.read(id, at: await look()) { table, time throws(InputError) in
            try table.inbox(of: id, at: time.now, clock: time.now(ofScope:))
        }
        // Also finds which push each repeats.
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
        guard let client = cluster.map({ $0.nextNumber() }) ?? fleet.clientNumbers.take() else {
            throw InputError(.unavailable, "the cluster gives no numbers at present")
        }
        try await perform(ConnectDevice(id: id, client: client))
        return client
    }

    /// Removes a live client from its device, which goes offline with the last one; while the run can't be kept, as soon
    /// as it can.
    package func disconnectDevice(_ id: String, client: UInt64) {
        let gone = DisconnectDevice(id: id, client: client)
        // Otherwise the device was removed after it went offline.
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

    /// Acts on a notification by `default`, `dismiss` or an action of its category, with the text if it takes one;
    /// returns what the app receives, `null` for a dismissal that it did not ask for.
    package func act(
        on id: String, sequence: UInt64, action: String, text: String?
    ) async throws(InputError) -> JSONValue {
        let received = try await perform(Act(device: id, sequence: sequence, action: action, text: text))
        return received?.json ?? .null
    }

    /// Removes a notification on behalf of its app.
    package func removeFromScreen(of id: String, sequence: UInt64) async throws(InputError) {
        try await perform(RemoveFromScreen(device: id, sequence: sequence))
    }

    /// Removes the notifications that pass a filter, as their apps or the user does; returns how many.
    @discardableResult
    package func clearScreen(
        of id: String, where filter: ScreenFilter = ScreenFilter()
    ) async throws(InputError) -> Int {
        try await perform(ClearScreen(device: id, filter: filter))
    }

    /// Changes what apps change about a screen, and returns it.
    @discardableResult
    package func changeScreen(of id: String, _ patch: ScreenPatch) async throws(InputError) -> JSONValue {
        try await perform(ChangeScreen(device: id, patch: patch))
        return try await screen(of: id)
    }
}
