package import APNsRules
package import MynahCore
internal import Synchronization

/// A part of a server's state, as `POST /v1/reset` names it.
package enum ResetPart: String, CaseIterable, Sendable {
    case notifications, devices, channels, faults, clock, keys, connections

    /// The order in which parts are reset: pushes after the devices, since what arrives in between is no longer of a
    /// scope, so that nothing of a scope is left.
    package static let inOrder: [ResetPart] = [
        .devices, .channels, .faults, .clock, .keys, .notifications, .connections,
    ]

    /// Whether a scope has its own.
    package var hasScope: Bool { self != .channels && self != .keys && self != .connections }

    /// The parts that are reset by default: all, or all that a scope has, but not connections.
    package static func defaults(ofScope scope: String?) -> Set<ResetPart> {
        Set(allCases.filter { $0 != .connections && (scope == nil || $0.hasScope) })
    }
}

/// Returning to the state after the start (`ControlAPI#Endpoints`, *Scopes*).
extension Server {
    /// Resets parts of the server or of a scope, as one event; returns how many things of each part were removed;
    /// provider certificates stay, because servers and commands share their folder, and a revocation is final.
    package func reset(
        _ parts: Set<ResetPart>? = nil, ofScope scope: String? = nil, restoresBaseline: Bool = true
    ) async throws -> JSONValue {
        let parts = parts ?? ResetPart.defaults(ofScope: scope)
        var counts: [ResetPart: Int] = [:]
        for part in ResetPart.inOrder where parts.contains(part) && (scope == nil || part.hasScope) {
            counts[part] = try await remove(part, ofScope: scope)
        }
        let shown = ResetPart.allCases.filter { part in
            (part != .connections || parts.contains(part)) && (scope == nil || part.hasScope)
        }
        let removed = shown.map { JSONMember($0.rawValue, .whole(counts[$0] ?? 0)) }
        // Last, on the clocks of the start.
        if restoresBaseline {
            if parts.contains(.channels) { try restoreChannels() }
            if parts.contains(.devices) { try await restoreDevices(ofScope: scope) }
            if parts.contains(.faults) { try await restoreFaults(ofScope: scope) }
        }
        let only = ResetPart.allCases.filter(parts.contains).map(\.rawValue)
        events.note(.reset(removed: .object(removed), only: only, scope: scope))
        return .object(removed)
    }

    private func remove(_ part: ResetPart, ofScope scope: String?) async throws -> Int {
        switch part {
        case .notifications:
            guard let scope else { return await removeAllPushes() }
            return try await removePushes(where: Filter([.init(.key(.scope), .equal(.string(scope)))]))
        case .devices:
            let count = fleet.removeAll(scope: scope)
            if scope == nil { fleet.numberDevicesAnew() }
            return count
        case .channels: return removeChannels(startsOver: true)
        case .faults:
            guard scope == nil else { return removeFaults(ofScope: scope) }
            let count = try await removeScenarios().faults + removeFaults(ofScope: nil)
            core.faults.forgetFirings()
            return count
        case .clock:
            guard let scope else { return try await resetClocks() }
            return try await removeClock(ofScope: scope)
        case .keys: return try await resetKeys()
        case .connections: return await closeConnections()
        }
    }

    /// Removes the pushes that a filter matches, and the events about them; returns how many there were.
    package func removePushes(where filter: Filter) async throws -> Int {
        let last = await journal.settled()
        let isGone = { (entry: Entry) in filter.isEmpty || filter.matches(PushView(entry)) }
        var sequences: [UInt64] = []
        try await journal.forEach(after: 0, through: last, mayPass: EntryPrefilter(filter)) { entry in
            if isGone(entry) { sequences.append(entry.sequence) }
        }
        let evictedThrough = journal.read { $0.counters.evictedThrough }
        return journal.remove(sequences) { [events] in
            let removed = Set(sequences)
            events.forgetOutcomes { entry in
                // An evicted push is known only by its events.
                removed.contains(entry.sequence) || (entry.sequence <= evictedThrough && isGone(entry))
            }
        }
    }

    // Less is not worth the time of looking for it.
    private static let returnedBytesMin = 8 << 20

    private func removeAllPushes() async -> Int {
        // So that pushes that have a number but are not appended yet are removed too.
        _ = await journal.settled()
        let bytes = journal.read { $0.counters.bytes }
        let count = journal.reset { [events] in events.forgetOutcomes { _ in true } }
        core.random.reset()
        connectionTable.failedHandshakes.reset()
        connectionTable.closedConnections.reset()
        if bytes >= Server.returnedBytesMin { FreedMemory.giveBack() }
        return count
    }
}

extension Server {
    /// Makes the devices of fixtures, now and after each reset; errors are below `/devices`.
    package func load(_ devices: [DeviceSpecification]) async throws(InputError) {
        for (index, device) in devices.enumerated() {
            var device = device
            if device.id == nil { device.id = fleet.freshID() }
            do throws(InputError) { try await makeDevices(device) } catch { throw error.within("/devices/\(index)") }
            core.baseline.withLock { [device] in $0.devices.append(device) }
        }
    }

    /// Makes the channels of fixtures, now and after each reset; errors are below `/channels`.
    package func load(_ channels: [ChannelSpecification]) throws(InputError) {
        for (index, specification) in channels.enumerated() {
            var specification = specification
            do throws(InputError) {
                specification.id = try makeChannel(specification).id
            } catch {
                throw error.within("/channels/\(index)")
            }
            core.baseline.withLock { [specification] in $0.channels.append(specification) }
        }
    }

    func restoreChannels() throws(InputError) {
        for channel in core.baseline.withLock({ $0.channels }) { _ = try makeChannel(channel) }
    }

    /// Adds the fault rules of fixtures, all or none, now and after each reset; errors are below `/faults`.
    package func load(_ faults: [FaultDraft]) throws(InputError) {
        let made = try addFaults(faults, pointers: faults.indices.map { "/faults/\($0)" })
        core.baseline.withLock { $0.rules += zip(made, faults).map { ($0.rule.id, $1) } }
    }

    package func load(_ scenario: Scenario) async throws {
        try await startScenario(scenario)
        core.baseline.withLock { $0.scenarios.append(scenario) }
    }

    func restoreDevices(ofScope scope: String?) async throws {
        for device in core.baseline.withLock({ $0.devices }) where scope == nil || device.scope == scope {
            try await makeDevices(device)
        }
    }

    /// Adds the baseline's rules again, replacing any with their ids: those of a scope, or all and the scenarios anew.
    func restoreFaults(ofScope scope: String?) async throws {
        let (rules, scenarios) = core.baseline.withLock { ($0.rules, $0.scenarios) }
        let own = rules.filter { scope == nil || $0.draft.rule.scope == scope }
        let (ids, drafts) = (own.map(\.id), own.map(\.draft))
        let now = now
        _ = try core.faults.change { set throws(InputError) in
            for id in ids { set.remove(id) }
            return (try set.add(drafts, ids: ids, at: now), ids)
        }
        if scope == nil { for scenario in scenarios { try await startScenario(scenario) } }
    }
}
