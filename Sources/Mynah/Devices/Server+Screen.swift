package import APNsRules
package import MynahCore

/// What the user of a device sees and does (`DeviceBehaviour#What-the-user-sees`,
/// `DeviceBehaviour#The-service-extension`, `DeviceBehaviour#Pushes-that-are-not-alerts`).
///
/// Calls throw ``InputError`` if there is no such device, notification or action.
extension Server {
    /// A device's screen, and how its apps were woken (`Documents#Devices`).
    package func screen(of id: String) async throws(InputError) -> JSONValue {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.screen(of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        return reading.value
    }

    /// Acts on a notification as the user: `default`, `dismiss`, or an action of its category, maybe with a text.
    ///
    /// - Returns: What the app receives; `null` for a dismissal that it did not ask for.
    package func act(
        on id: String, sequence: UInt64, action: String, text: String?
    ) async throws(InputError) -> JSONValue {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let reading = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.perform(action, text: text, on: sequence, of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(reading.effects)
        return reading.value?.json ?? .null
    }

    /// Removes a notification as its app.
    package func removeFromScreen(of id: String, sequence: UInt64) async throws(InputError) {
        try await fleet.ensureScreen(of: id)
        let time = fleet.time
        let effects = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
            try table.removeFromScreen(sequence, of: id, at: time.now, clock: time.now(ofScope:))
        }
        fleet.report(effects)
    }
}

extension DeviceFleet {
    /// Makes the screen of a device that has none, from the deliveries that are still in the journal.
    ///
    /// Called before any change that affects what is seen.
    func ensureScreen(of id: String) async throws(InputError) {
        var isMade = false
        while !isMade {
            let items = try shards.withShard(ofID: id) { table throws(InputError) in
                try table.inboxWithoutScreen(of: id)
            }
            guard let items else { return }
            let entries = await entries(items)
            let past = zip(items, entries).map { PastDelivery($0, $1) }
            isMade = try shards.withShard(ofID: id) { table throws(InputError) in
                try table.makeScreen(of: id, from: past)
            }
        }
    }
}
