package import APNsRules
package import MynahCore

/// Scenarios (`ControlAPI#Endpoints`): rules that come and go by a script.
///
/// Steps after a time count the server's clock, and are done when the call that moved it answers; those after pushes
/// are exact: the rules hold for the push behind them, on whatever connection it comes.
extension Server {
    /// All scenarios as the control API shows them, the one that began first first.
    package var scenarios: [JSONValue] {
        core.faults.readScenarios { board, set, pushes in board.entries.map { board.json($0, pushes: pushes, in: set) }
        }
    }

    /// A scenario as the control API shows it; `nil` when there is none of this name.
    package func scenario(_ name: String) -> JSONValue? {
        core.faults.readScenarios { board, set, pushes in board[name].map { board.json($0, pushes: pushes, in: set) } }
    }

    /// Lets a scenario begin; the rules of its steps that wait for nothing hold when it answers.
    ///
    /// - Throws: `InputError` when a scenario or a rule of that name is there; nothing has changed then.
    package func startScenario(_ scenario: Scenario) async throws {
        try core.faults.startScenario(scenario, at: now)
        try await watchScenarios()
    }

    /// Takes a scenario away with the rules that it has added; how many those were, or `nil` when there is none of this
    /// name.
    package func removeScenario(_ name: String) async throws -> Int? {
        let removed = core.faults.removeScenario(name)
        try await watchScenarios()
        return removed
    }

    /// Takes all scenarios away with the rules that they have added; a reset tells it itself.
    package func removeScenarios() async throws -> (scenarios: Int, faults: Int) {
        var removed = (scenarios: 0, faults: 0)
        for name in core.faults.readScenarios({ board, _, _ in board.entries.map(\.scenario.name) }) {
            guard let faults = core.faults.removeScenario(name, isTold: false) else { continue }
            removed.scenarios += 1
            removed.faults += faults
        }
        try await watchScenarios()
        return removed
    }

    /// Lets the scenarios go on from where they are after the server's clock was put back by so much.
    func moveScenarios(back time: Duration) async throws {
        core.faults.moveScenarios(back: time)
        try await watchScenarios()
    }

    // Every loop looks at the clock for itself, and the first one to see a step fall due does it for all.
    private func watchScenarios() async throws { try await loops.update { $0.watchScenarios() } }
}
