package import APNsRules
package import MynahCore

/// What the user of a device sees and does (`DeviceBehaviour#What-the-user-sees`,
/// `DeviceBehaviour#The-service-extension`, `DeviceBehaviour#Pushes-that-are-not-alerts`).
extension Server {
    /// A device's screen, what woke its apps, and what they were told (`Documents#Devices`).
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func screen(of id: String) async throws(DeviceError) -> JSONValue {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.screen(of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        return reading.value
    }

    /// The user acts on a notification: `default`, `dismiss`, or an action of its category, maybe with a text.
    ///
    /// - Returns: what the app is told; `null` for a dismissal that it did not ask for.
    /// - Throws: ``DeviceError`` when there is no such device, notification or action.
    package func act(
        on id: String, sequence: UInt64, action: String, text: String?
    ) async throws(DeviceError) -> JSONValue {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.perform(action, text: text, on: sequence, of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        return reading.value?.json ?? .null
    }

    /// An app takes a notification back.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or notification.
    package func removeFromScreen(of id: String, sequence: UInt64) async throws(DeviceError) {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.removeFromScreen(sequence, of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(effects)
    }
}

extension DeviceFleet {
    /// Gives a device a screen, if it has none, with all that the journal still has of what arrived.
    ///
    /// To be called before anything changes that decides what is seen.
    /// - Throws: ``DeviceError`` when there is no such device.
    func ensureScreen(of id: String) async throws(DeviceError) {
        var isMade = false
        while !isMade {
            let items = try shards.withShard(ofID: id) { table throws(DeviceError) in
                try table.inboxWithoutScreen(of: id)
            }
            guard let items else { return }
            let entries = await entries(items)
            let past = zip(items, entries).map { PastDelivery($0, $1) }
            isMade = try shards.withShard(ofID: id) { table throws(DeviceError) in
                try table.makeScreen(of: id, from: past)
            }
        }
    }
}
