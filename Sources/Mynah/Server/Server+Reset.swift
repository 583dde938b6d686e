package import APNsRules
package import MynahCore
internal import Synchronization

/// Returning to the state after the start (`ControlAPI#Endpoints`, *Scopes*).
extension Server {
    // Less is not worth the time of looking for it.
    private static let returnedBytesMin = 8 << 20

    /// Resets parts of the server or of a scope, as one event; returns how many things of each part were removed;
    /// provider certificates stay, because servers and commands share their folder, and a revocation is final.
    package func reset(
        _ parts: Set<ResetPart>? = nil, ofScope scope: String? = nil, restoresBaseline: Bool = true
    ) async throws -> JSONValue {
        let parts = parts ?? ResetPart.defaults(ofScope: scope)
        let forgetsPushes = parts.contains(.notifications) && scope == nil
        if forgetsPushes {
            connectionTable.failedHandshakes.reset()
            connectionTable.closedConnections.reset()
        }
        let connections = parts.contains(.connections) && scope == nil ? try await closeConnections() : 0
        let bytes = journal.read { $0.counters.bytes }
        let removed = try await perform(
            Reset(parts: parts, scope: scope, restoresBaseline: restoresBaseline, connectionCount: connections))
        if forgetsPushes, bytes >= Server.returnedBytesMin { FreedMemory.giveBack() }
        if parts.contains(.clock) { try await publishClocks() }
        if parts.contains(.keys), scope == nil { try await publishTrust() }
        // Pushes that were accepted meanwhile by the earlier clocks.
        await look()
        return removed
    }

    /// Removes the pushes that a filter matches, and the events about them, as an event; returns how many there were.
    package func removePushes(where filter: Filter) async throws -> Int {
        let last = await journal.settled()
        var sequences = events.evictedPushes(where: filter)
        try await journal.forEach(after: 0, through: last, mayPass: EntryPrefilter(filter)) { entry in
            if filter.isEmpty || filter.matches(PushView(entry)) { sequences.append(entry.sequence) }
        }
        return try await perform(RemovePushes(sequences: sequences))
    }

    // A run that goes on has the fixtures with which it began.

    /// Makes the devices of fixtures, all or none, now and after each reset; errors are below `/devices`.
    package func load(_ devices: [DeviceSpecification]) async throws(InputError) {
        guard isRunNew else { return }
        try await perform(LoadDevices(specifications: devices))
    }

    /// Makes the channels of fixtures, all or none, now and after each reset; errors are below `/channels`.
    package func load(_ channels: [ChannelSpecification]) async throws(InputError) {
        guard isRunNew else { return }
        try await perform(LoadChannels(specifications: channels))
    }

    /// Adds the fault rules of fixtures, all or none, now and after each reset; errors are below `/faults`.
    package func load(_ faults: [FaultDraft]) async throws(InputError) {
        guard isRunNew else { return }
        try await perform(LoadFaults(drafts: faults))
    }

    /// Starts a scenario, now and after each reset.
    package func load(_ scenario: Scenario) async throws {
        guard isRunNew else { return }
        try await perform(LoadScenario(scenario: scenario))
    }
}
