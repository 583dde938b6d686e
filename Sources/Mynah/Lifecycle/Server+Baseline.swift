internal import APNsRules
package import MynahCore
internal import Synchronization

/// What a server was given before it was ready, by fixtures and `--scenario`: a reset returns to it.
final class Baseline: Sendable {
    struct State {
        var devices: [DeviceSpecification] = []
        // With the ids that they were given, which they keep.
        var rules: [(id: String, draft: FaultDraft)] = []
        var scenarios: [Scenario] = []
    }

    let state = Mutex(State())
}

extension Server {
    /// Makes the devices of fixtures, now and after each reset.
    ///
    /// A device without an id gets one, which it keeps.
    /// - Throws: ``InputError`` below `/devices`, at the first device that the server does not take.
    package func load(_ devices: [DeviceSpecification]) async throws(InputError) {
        for (index, device) in devices.enumerated() {
            var device = device
            if device.id == nil { device.id = freshDeviceID() }
            do throws(InputError) {
                try await makeDevices(device)
            } catch {
                throw error.within("/devices/\(index)")
            }
            baseline.state.withLock { [device] in $0.devices.append(device) }
        }
    }

    /// Adds the fault rules of fixtures, all or none, now and after each reset.
    ///
    /// - Throws: ``InputError`` below `/faults`, at the first rule that the server does not take.
    package func load(_ faults: [FaultDraft]) throws(InputError) {
        let made = try addFaults(faults, pointers: faults.indices.map { "/faults/\($0)" })
        baseline.state.withLock { $0.rules += zip(made, faults).map { ($0.rule.id, $1) } }
    }

    /// Starts a scenario, now and after each reset.
    ///
    /// - Throws: `InputError` when a scenario or a rule of that name is there.
    package func load(_ scenario: Scenario) async throws {
        try await startScenario(scenario)
        baseline.state.withLock { $0.scenarios.append(scenario) }
    }

    /// Makes the devices of the baseline again, of one scope or all.
    ///
    /// - Throws: `InputError` when an id or a token of theirs was taken since the reset removed them.
    func restoreDevices(ofScope scope: String?) async throws {
        for device in baseline.state.withLock({ $0.devices }) where scope == nil || device.scope == scope {
            try await makeDevices(device)
        }
    }

    /// Adds the rules of the baseline again, of one scope, or all of them and the scenarios, which begin anew.
    ///
    /// A rule that was given the id of one of them since the reset removed it is replaced.
    func restoreFaults(ofScope scope: String?) async throws {
        let (rules, scenarios) = baseline.state.withLock { ($0.rules, $0.scenarios) }
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
