internal import APNsRules
internal import MynahCore
internal import Synchronization

/// A part of a server's state, as `POST /v1/reset` names it.
package enum ResetPart: String, CaseIterable, Sendable {
    case notifications, devices, channels, faults, clock, keys, connections

    /// The order in which parts are reset: pushes after the devices, since what arrives in between is no longer of a
    /// scope, so that nothing of a scope is left.
    package static let inOrder: [ResetPart] = [
        .connections, .devices, .channels, .faults, .clock, .keys, .notifications,
    ]

    /// Whether a scope has a part of this kind of its own.
    package var hasScope: Bool { self != .channels && self != .keys && self != .connections }

    /// The parts that are reset by default: all, or all that a scope has, but not connections.
    package static func defaults(ofScope scope: String?) -> Set<ResetPart> {
        Set(allCases.filter { $0 != .connections && (scope == nil || $0.hasScope) })
    }
}

/// Resets parts of the server or of a scope, as one event; returns how many things of each part were removed.
struct Reset: Command {
    static let changesVerdicts = true
    let parts: Set<ResetPart>
    let scope: String?
    let restoresBaseline: Bool
    /// How many connections were closed by the reset.
    let connectionCount: Int

    /// Whether closed connections and failed handshakes are forgotten, which each server keeps for itself.
    var forgetsConnections: Bool { parts.contains(.notifications) && scope == nil }

    func apply(to simulation: Simulation) throws(InputError) -> JSONValue {
        var counts: [ResetPart: Int] = [:]
        var scenarioCount = 0
        for part in ResetPart.inOrder where parts.contains(part) && (scope == nil || part.hasScope) {
            counts[part] = remove(part, from: simulation, endedScenarios: &scenarioCount)
        }
        let shown = ResetPart.allCases.filter { part in
            (part != .connections || parts.contains(part)) && (scope == nil || part.hasScope)
        }
        var members = shown.map { JSONMember($0.rawValue, .whole(counts[$0] ?? 0)) }
        // Scenarios are no part of their own: they end with their rules.
        if scenarioCount > 0 { members.append(JSONMember("scenarios", .whole(scenarioCount))) }
        let removed = JSONValue.object(members)
        // Last, on the clocks of the start.
        if restoresBaseline { try simulation.restoreBaseline(parts, ofScope: scope) }
        let only = ResetPart.allCases.filter(parts.contains).map(\.rawValue)
        simulation.events.record(.reset(removed: removed, only: only, scope: scope))
        return removed
    }

    private func remove(_ part: ResetPart, from simulation: Simulation, endedScenarios: inout Int) -> Int {
        switch part {
        case .connections: return connectionCount
        case .devices:
            let count = simulation.devices.removeAll(scope: scope)
            if scope == nil { simulation.devices.numberDevicesAnew() }
            return count
        case .channels: return simulation.channels.removeAll(startsOver: true)
        case .faults:
            let scenarios = simulation.faults.removeScenarios(ofScope: scope)
            endedScenarios = scenarios.scenarios
            let rules = simulation.faults.remove(notesEvents: false) { $0.removeAll(ofScope: scope) }
            if scope == nil { simulation.faults.forgetFirings() }
            return scenarios.faults + rules
        case .clock: return scope.map { simulation.removeClock(ofScope: $0) } ?? simulation.resetClocks()
        case .keys: return simulation.trust.resetKeys()
        case .notifications:
            // So that pushes that have a number but are not appended yet are removed too.
            simulation.journal.waitUntilAppended()
            guard let scope else {
                simulation.random.reset()
                return simulation.journal.reset { [events = simulation.events] in events.forgetOutcomes { _ in true } }
            }
            return simulation.removePushes(where: Filter([.init(.key(.scope), .equal(.string(scope)))]))
        }
    }
}

extension Simulation {
    /// Makes what the fixtures of the start made, and starts their scenarios: of some parts, and of a scope or of all.
    fileprivate func restoreBaseline(_ parts: Set<ResetPart>, ofScope scope: String?) throws(InputError) {
        try makeFixtures(parts, ofScope: scope)
        guard parts.contains(.faults) else { return }
        let scenarios = baseline.withLock { $0.scenarios }
        for scenario in scenarios where scope == nil || scenario.scope == scope {
            try StartScenario(scenario: scenario).apply(to: self)
        }
    }

    /// Makes what the fixtures of the start made: of some parts, and of a scope or of all.
    func makeFixtures(_ parts: Set<ResetPart>, ofScope scope: String?) throws(InputError) {
        let baseline = baseline.withLock { $0 }
        if parts.contains(.channels) { _ = try channels.create(baseline.channels) }
        if parts.contains(.devices) {
            _ = try devices.createAll(baseline.devices.filter { scope == nil || $0.scope == scope })
        }
        guard parts.contains(.faults) else { return }
        let rules = baseline.rules.filter { scope == nil || $0.draft.rule.scope == scope }
        let now = now
        _ = try faults.change { set throws(InputError) in
            for rule in rules { set.remove(rule.id) }
            return try set.add(rules.map(\.draft), ids: rules.map(\.id), at: now)
        }
    }
}

/// Removes pushes, and the events about them, as an event if there were any; returns how many there were.
struct RemovePushes: Command {
    /// The pushes' numbers, including pushes that the journal has evicted and events are about.
    let sequences: [UInt64]

    func apply(to simulation: Simulation) -> Int {
        let count = simulation.removePushes(sequences)
        guard count > 0 else { return 0 }
        let removed: JSONValue = ["notifications": .whole(count)]
        simulation.events.record(.reset(removed: removed, only: ["notifications"], scope: nil))
        return count
    }
}

extension Simulation {
    fileprivate func removePushes(_ sequences: [UInt64]) -> Int {
        let removed = Set(sequences)
        return journal.remove(sequences) { [events] in events.forgetOutcomes { removed.contains($0.sequence) } }
    }

    fileprivate func removePushes(where filter: Filter) -> Int {
        removePushes(events.evictedPushes(where: filter) + journal.sequences(where: filter))
    }
}

extension CommandKind {
    static let removals: Numbered = [
        47: Reset.self,
        48: RemovePushes.self,
    ]
}
