package import APNsRules
package import MynahCore

/// Scenarios (`ControlAPI#Endpoints`): rules that come and go by a script.
///
/// Steps after a time go by the server's clock, and are done when the call that moved it returns. Steps after a number of
/// pushes are exact: their rules hold from the next push on, on any connection.
extension Server {
    /// All scenarios as the control API shows them, the oldest first.
    package var scenarios: [JSONValue] {
        core.faults.readScenarios { board, set, pushes in board.entries.map { board.json($0, pushes: pushes, in: set) }
        }
    }

    /// A scenario as the control API shows it; `nil` if none of this name runs.
    package func scenario(_ name: String) -> JSONValue? {
        core.faults.readScenarios { board, set, pushes in board[name].map { board.json($0, pushes: pushes, in: set) } }
    }

    /// Starts a scenario; the rules of its first steps, those without a condition, hold when this returns.
    ///
    /// - Throws: `InputError` if a scenario or a rule of that name exists; nothing has changed then.
    package func startScenario(_ scenario: Scenario) async throws {
        try core.faults.startScenario(scenario, at: now)
        try await watchScenarios()
    }

    /// Removes a scenario with the rules that it has added; returns how many those were, or `nil` if none of this name runs.
    package func removeScenario(_ name: String) async throws -> Int? {
        let removed = core.faults.removeScenario(name)
        try await watchScenarios()
        return removed
    }

    /// Removes all scenarios with the rules that they have added, without events.
    package func removeScenarios() async throws -> (scenarios: Int, faults: Int) {
        var removed = (scenarios: 0, faults: 0)
        for name in core.faults.readScenarios({ board, _, _ in board.entries.map(\.scenario.name) }) {
            guard let faults = core.faults.removeScenario(name, notesEvents: false) else { continue }
            removed.scenarios += 1
            removed.faults += faults
        }
        try await watchScenarios()
        return removed
    }

    /// Lets the scenarios continue where they are after the server's clock was put back by `time`.
    func moveScenarios(back time: Duration) async throws {
        core.faults.moveScenarios(back: time)
        try await watchScenarios()
    }

    // Every loop watches the clock, and the first one that sees a step fall due performs it for all.
    private func watchScenarios() async throws { try await loops.update { $0.watchScenarios() } }
}
