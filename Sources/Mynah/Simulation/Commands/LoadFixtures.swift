internal import APNsRules
internal import MynahCore
internal import MynahStore
internal import Synchronization

/// Makes what the fixtures and scenarios of a start have, now and after each reset: all or nothing, and once in a run,
/// whose later starts and further servers change nothing by it.
///
/// Errors are below `/channels`, `/devices`, `/faults` and `/scenarios`.
struct LoadFixtures: Command {
    var channels: [ChannelSpecification] = []
    var devices: [DeviceSpecification] = []
    var faults: [FaultDraft] = []
    var scenarios: [Scenario] = []

    private var parts: [(name: String, content: [JSONValue])] {
        [
            ("channels", channels.map(\.json)), ("devices", devices.map(\.json)), ("faults", faults.map(\.json)),
            ("scenarios", scenarios.map(\.json)),
        ]
    }

    /// A text by which these fixtures are told from the fixtures of another start.
    var fingerprints: String {
        parts.map { "\($0.name) \(CRC32C(of: JSONValue.array($0.content).encoded).value)" }.joined(separator: "\n")
    }

    /// The parts of the fixtures that exist and differ from the parts of the start with this text.
    func differences(from fingerprints: String) -> [String] {
        let own = self.fingerprints.split(separator: "\n")
        let others = fingerprints.split(separator: "\n")
        return zip(parts, own).filter { !$0.content.isEmpty && !others.contains($1) }.map(\.0.name)
    }

    func apply(to simulation: Simulation) throws(InputError) {
        guard !simulation.isLoaded else { return }
        do throws(InputError) {
            try LoadChannels(specifications: channels).apply(to: simulation)
            try LoadDevices(specifications: devices).apply(to: simulation)
            try LoadFaults(drafts: faults).apply(to: simulation)
            for (index, scenario) in scenarios.enumerated() {
                do throws(InputError) {
                    try LoadScenario(scenario: scenario).apply(to: simulation)
                } catch {
                    throw error.within("/scenarios/\(index)")
                }
            }
        } catch {
            simulation.baseline.withLock { $0 = Baseline(clock: $0.clock) }
            // A server is not ready before its fixtures are loaded, so no call has made anything else.
            let made: Set<ResetPart> = [.channels, .devices, .faults]
            _ = try Reset(parts: made, scope: nil, restoresBaseline: false, connectionCount: 0).apply(to: simulation)
            throw error
        }
        simulation.baseline.withLock { $0.isLoaded = true }
    }
}

/// Replaces what fixtures made by what they make now, in the parts that are given, also for each reset; what calls have
/// made stays.
///
/// If a part can't be made, the former parts are made again. Errors are as those of ``LoadFixtures``.
struct ReplaceFixtures: Command {
    var channels: [ChannelSpecification]?
    var devices: [DeviceSpecification]?
    var faults: [FaultDraft]?

    private var parts: Set<ResetPart> {
        let given: [(ResetPart, Bool)] = [
            (.channels, channels != nil), (.devices, devices != nil), (.faults, faults != nil),
        ]
        return Set(given.filter(\.1).map(\.0))
    }

    func apply(to simulation: Simulation) throws(InputError) {
        let earlier = simulation.baseline.withLock { $0 }
        let counts = remove(from: simulation)
        do throws(InputError) {
            try LoadChannels(specifications: channels ?? []).apply(to: simulation)
            try LoadDevices(specifications: devices ?? []).apply(to: simulation)
            try LoadFaults(drafts: faults ?? []).apply(to: simulation)
        } catch {
            _ = remove(from: simulation)
            simulation.baseline.withLock { $0 = earlier }
            try simulation.makeFixtures(parts, ofScope: nil)
            throw error
        }
        let changed = ResetPart.allCases.filter(parts.contains)
        let removed = JSONValue.object(changed.map { JSONMember($0.rawValue, .whole(counts[$0] ?? 0)) })
        simulation.events.record(.reset(removed: removed, only: changed.map(\.rawValue), scope: nil))
    }

    /// Removes what fixtures made, from the simulation and from what a reset makes; returns how many were still there.
    private func remove(from simulation: Simulation) -> [ResetPart: Int] {
        let parts = parts
        let made = simulation.baseline.withLock { $0 }
        var counts: [ResetPart: Int] = [:]
        if parts.contains(.channels) {
            let ids = made.channels.compactMap(\.id)
            counts[.channels] = simulation.channels.change { channels in ids.count { channels.forget($0) != nil } }
        }
        if parts.contains(.devices) {
            counts[.devices] = made.devices.flatMap(\.ids).count { simulation.devices.remove($0) != nil }
        }
        if parts.contains(.faults) {
            counts[.faults] = simulation.faults.remove(notesEvents: false) { set in
                made.rules.compactMap { set.remove($0.id)?.id }
            }
        }
        simulation.baseline.withLock { baseline in
            if parts.contains(.channels) { baseline.channels = [] }
            if parts.contains(.devices) { baseline.devices = [] }
            if parts.contains(.faults) { baseline.rules = [] }
        }
        return counts
    }
}

extension CommandKind {
    static let fixtures: Numbered = [
        50: LoadFixtures.self,
        52: ReplaceFixtures.self,
    ]
}
