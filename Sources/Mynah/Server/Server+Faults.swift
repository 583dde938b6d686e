package import APNsRules
internal import MynahCore

/// Fault rules (`ControlAPI#Endpoints`); a change holds for everything after the call, on open connections too.
extension Server {
    package var faults: [FaultView] { simulation.faults.views }
    package var faultCount: Int { simulation.faults.snapshot.set.rules.count }
    /// How often rules have fired since the start or the last reset of faults, including removed ones.
    package var firedFaultCount: Int { simulation.faults.firedCount }
    package func fault(_ id: String) -> FaultView? { simulation.faults[id] }

    /// Refuses a rule for a device token of a length that this server doesn't take.
    func checkTokens(of draft: FaultDraft, at pointer: String = "") throws(InputError) {
        try draft.checkTokens(settings.rules.tokenByteCounts, at: pointer)
    }

    /// Waits until a rule, or one that replaces it, has fired `hits` times; returns it, or `nil` once it is gone.
    package func waitForFault(_ id: String, hits: Int, until deadline: ContinuousClock.Instant) async -> FaultView? {
        while !Task.isCancelled, ContinuousClock.now < deadline, let tally = simulation.faults.tally(of: id),
            tally.counters.fired < hits
        {
            _ = await finishes(before: deadline) { await tally.wait(hits: hits) }
        }
        return fault(id)
    }
}

/// Scenarios (`ControlAPI#Endpoints`): scripts that add and remove rules.
///
/// Steps after a time are done when the call that moved the server's clock returns; the rules of steps after a number
/// of pushes hold from the next push on, on any connection.
extension Server {
    /// The scenarios as the control API shows them, the oldest first.
    package var scenarios: [JSONValue] {
        simulation.faults.readScenarios { board, set, pushes in
            board.entries.map { board.json($0, pushes: pushes, in: set) }
        }
    }

    /// A scenario as the control API shows it; `nil` if no scenario of this name is running, in the scope if one is given.
    package func scenario(_ name: String, ofScope scope: String? = nil) -> JSONValue? {
        simulation.faults.readScenarios { board, set, pushes in
            board[Scenario.Name(name, scope: scope)].map { board.json($0, pushes: pushes, in: set) }
        }
    }
}
