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
    /// - Throws: ``DeviceFixtureFault``, at the first device that the server does not take.
    package func load(_ devices: [DeviceSpecification]) async throws(DeviceFixtureFault) {
        for (index, device) in devices.enumerated() {
            var device = device
            if device.id == nil { device.id = freshDeviceID() }
            do throws(DeviceError) {
                try await makeDevices(device)
            } catch {
                throw DeviceFixtureFault(index: index, error: error)
            }
            baseline.state.withLock { [device] in $0.devices.append(device) }
        }
    }

    /// Adds the fault rules of fixtures, all or none, now and after each reset.
    ///
    /// - Throws: ``FaultFixtureFault``, at the first rule that the server does not take.
    package func load(_ faults: [FaultDraft]) throws(FaultFixtureFault) {
        do throws(FaultSet.ChangeError) {
            let made = try addFaults(faults, pointers: faults.indices.map { "/\($0)" })
            baseline.state.withLock { $0.rules += zip(made, faults).map { ($0.rule.id, $1) } }
        } catch {
            throw FaultFixtureFault(error.error)
        }
    }

    /// Starts a scenario, now and after each reset.
    ///
    /// - Throws: `FaultSet.ChangeError` when a scenario or a rule of that name is there.
    package func load(_ scenario: Scenario) async throws {
        try await startScenario(scenario)
        baseline.state.withLock { $0.scenarios.append(scenario) }
    }

    /// Makes the devices of the baseline again, of one scope or all.
    ///
    /// - Throws: `DeviceError` when an id or a token of theirs was taken since the reset removed them.
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
        _ = try core.faults.change { set throws(FaultSet.ChangeError) in
            for id in ids { set.remove(id) }
            return (try set.add(drafts, ids: ids, at: now), ids)
        }
        if scope == nil { for scenario in scenarios { try await startScenario(scenario) } }
    }
}

/// A device of fixtures that the server does not take.
package struct DeviceFixtureFault: Error, Sendable {
    /// Which of the devices that were given, from 0.
    package let index: Int
    /// Why not; its field is a JSON pointer into the device's object.
    package let error: DeviceError
}

/// A fault rule of fixtures that the server does not take.
package struct FaultFixtureFault: Error, Sendable {
    /// Which of the rules that were given, from 0.
    package let index: Int
    /// Why not; its field is a JSON pointer into the rule.
    package let error: QueryError

    /// The fault of the rule that the error's field begins with, a JSON pointer into the list.
    init(_ error: QueryError) {
        let steps = error.field.split(separator: "/", maxSplits: 1)
        self.index = steps.first.flatMap { Int($0) } ?? 0
        self.error = QueryError(
            steps.count > 1 ? "/" + steps[1] : "", error.problem, allowed: error.allowed)
    }
}
