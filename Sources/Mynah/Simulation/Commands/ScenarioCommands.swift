package import MynahCore
internal import Synchronization

/// Starts a scenario; throws if a scenario or rule of that name exists.
struct StartScenario: Command {
    let scenario: Scenario

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.faults.startScenario(scenario, at: simulation.devices.time.now(ofScope: scenario.scope))
        simulation.watchDue()
    }
}

extension Server {
    /// Starts a scenario, whose first rules hold when this returns; throws if a scenario or rule of that name exists.
    package func startScenario(_ scenario: Scenario) async throws {
        for (number, step) in scenario.steps.enumerated() {
            for (place, draft) in step.add.enumerated() {
                try checkTokens(of: draft, at: "/steps/\(number)/add/\(place)")
            }
        }
        try await perform(StartScenario(scenario: scenario))
    }
}

/// Starts a scenario, now and after each reset.
struct LoadScenario: Command {
    let scenario: Scenario

    func apply(to simulation: Simulation) throws(InputError) {
        try StartScenario(scenario: scenario).apply(to: simulation)
        simulation.baseline.withLock { $0.scenarios.append(scenario) }
    }
}

/// Removes a scenario with the rules that it has added; returns how many those were, or `nil` if it isn't running.
struct RemoveScenario: Command {
    let name: String
    let scope: String?

    func apply(to simulation: Simulation) -> Int? {
        simulation.faults.removeScenario(Scenario.Name(name, scope: scope))
    }
}

extension Server {
    /// Removes a scenario with the rules that it has added; returns how many those were, or `nil` if it isn't running.
    package func removeScenario(_ name: String, ofScope scope: String? = nil) async throws -> Int? {
        try await perform(RemoveScenario(name: name, scope: scope))
    }
}

/// Removes all scenarios, or the scenarios of a scope, with the rules that they have added, without events.
struct RemoveScenarios: Command {
    let scope: String?

    func apply(to simulation: Simulation) -> (scenarios: Int, faults: Int) {
        simulation.faults.removeScenarios(ofScope: scope)
    }
}

extension Server {
    /// Removes all scenarios, or the scenarios of a scope, with the rules that they have added, without events.
    package func removeScenarios(ofScope scope: String? = nil) async throws -> (scenarios: Int, faults: Int) {
        try await perform(RemoveScenarios(scope: scope))
    }
}

extension CommandKind {
    static let scenarios: Numbered = [
        36: StartScenario.self,
        37: LoadScenario.self,
        38: RemoveScenario.self,
        39: RemoveScenarios.self,
    ]
}
