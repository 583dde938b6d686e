package import APNsRules
package import MynahCore
internal import Synchronization

/// Returning to the state after the start (`ControlAPI#Endpoints`, *Scopes*).
extension Server {
    // Less is not worth the time of looking for it.
    private static let returnedBytesMin = 8 << 20

    /// Resets parts of the server or of a scope, as one event; returns how many things of each part were removed;
    /// provider certificates stay, because servers and commands share their folder, and a revocation is final.
    ///
    /// Connections are closed first, so that no push comes in between: they stay closed if the reset itself is refused.
    package func reset(
        _ parts: Set<ResetPart>? = nil, ofScope scope: String? = nil, restoresBaseline: Bool = true
    ) async throws -> JSONValue {
        let parts = parts ?? ResetPart.defaults(ofScope: scope)
        let connections = parts.contains(.connections) && scope == nil ? try await closeConnections() : 0
        let bytes = journal.read { $0.counters.bytes }
        let reset = Reset(
            parts: parts, scope: scope, restoresBaseline: restoresBaseline, connectionCount: connections)
        let removed = try await perform(reset)
        if reset.forgetsConnections {
            // In a shared order, the reset does so when it is applied.
            if !isShared { connectionTable.forgetEnded() }
            if bytes >= Server.returnedBytesMin { FreedMemory.giveBack() }
        }
        if parts.contains(.clock) { try await publishClocks() }
        if parts.contains(.keys), scope == nil { try await publishTrust() }
        // Processes pushes that were accepted by the earlier clocks in between.
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

    /// Removes one push, and the events about it, as an event; returns whether it was there.
    package func removePush(_ sequence: UInt64) async throws -> Bool {
        try await perform(RemovePushes(sequences: [sequence])) > 0
    }

    /// Makes what fixtures and scenarios have, all or nothing, now and after each reset; a run that goes on keeps those
    /// with which it began.
    /// - Returns: The names of the parts that differ from the run's first start, and so are not used: `devices`, for
    ///   instance.
    /// - Throws: ``InputError`` below `/channels`, `/devices`, `/faults` or `/scenarios`.
    @discardableResult
    package func load(
        channels: [ChannelSpecification] = [], devices: [DeviceSpecification] = [], faults: [FaultDraft] = [],
        scenarios: [Scenario] = []
    ) async throws(InputError) -> [String] {
        let fixtures = LoadFixtures(channels: channels, devices: devices, faults: faults, scenarios: scenarios)
        let isFirst = !simulation.isLoaded
        if isFirst { try await perform(fixtures) }
        guard let order else { return [] }
        do {
            let first = try await order.firstNote("fixtures", fixtures.fingerprints)
            return isFirst ? [] : fixtures.differences(from: first)
        } catch let error as InputError {
            throw error
        } catch {
            throw InputError(.unavailable, "the run can't be kept: \(error)")
        }
    }
    /// Replaces what fixtures made by what they make now, in the parts that are given, also for each reset; what calls
    /// have made stays.
    ///
    /// If something can't be made, all of before is made again.
    /// - Throws: ``InputError`` below `/channels`, `/devices` or `/faults`.
    package func replaceFixtures(
        channels: [ChannelSpecification]?, devices: [DeviceSpecification]?, faults: [FaultDraft]?
    ) async throws(InputError) {
        try await perform(ReplaceFixtures(channels: channels, devices: devices, faults: faults))
        await look()
    }
}
