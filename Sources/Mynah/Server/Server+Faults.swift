package import APNsRules
package import MynahCore

/// Fault rules (`ControlAPI#Endpoints`); a change holds for everything after the call, on open connections too.
extension Server {
    package var faults: [FaultView] { simulation.faults.views }
    package var faultCount: Int { simulation.faults.snapshot.set.rules.count }
    /// How often rules have fired since the start or the last reset of faults, including removed ones.
    package var firedFaultCount: Int { simulation.faults.firedCount }
    package func fault(_ id: String) -> FaultView? { simulation.faults[id] }

    /// Adds rules, all or none; the last is the newest; `pointers` are their places in the request's body, for errors.
    package func addFaults(
        _ drafts: [FaultDraft], seed: UInt64? = nil, pointers: [String]? = nil
    ) async throws(InputError) -> [FaultView] {
        for (index, draft) in drafts.enumerated() { try checkTokens(of: draft, at: pointers?[index] ?? "") }
        return try await perform(AddFaults(drafts: drafts, seed: seed, pointers: pointers))
    }

    /// Adds a rule or replaces it; it is then the newest and counts from zero.
    package func putFault(
        _ draft: FaultDraft, id: String
    ) async throws(InputError) -> (view: FaultView, isNew: Bool) {
        try checkTokens(of: draft)
        return try await perform(PutFault(id: id, draft: draft))
    }

    /// Refuses a rule for a device token of a length that this server doesn't take.
    private func checkTokens(of draft: FaultDraft, at pointer: String = "") throws(InputError) {
        try draft.checkTokens(settings.rules.tokenByteCounts, at: pointer)
    }

    /// Changes a part of a rule, which goes on counting; `nil` if there is no such rule.
    package func patchFault(_ id: String, with json: JSONValue) async throws(InputError) -> FaultView? {
        if let old = fault(id)?.rule { try checkTokens(of: FaultSet.draft(of: old, with: json)) }
        return try await perform(PatchFault(id: id, json: json))
    }

    package func removeFault(_ id: String) async throws(InputError) -> Bool {
        try await perform(RemoveFault(id: id))
    }

    /// Removes the rules of a scope, or all, without an event; returns how many there were.
    package func removeFaults(ofScope scope: String?) async throws(InputError) -> Int {
        try await perform(RemoveFaultsOfScope(scope: scope))
    }

    /// Removes the rules that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeFaults(where filter: FaultFilter) async throws(InputError) -> Int {
        try await perform(RemoveFaults(filter: filter))
    }

    /// Waits until a rule, or one that replaces it, has fired `hits` times; returns it, or `nil` once it is gone.
    package func waitForFault(_ id: String, hits: Int, until deadline: ContinuousClock.Instant) async -> FaultView? {
        while !Task.isCancelled, ContinuousClock.now < deadline, let tally = simulation.faults.tally(of: id),
            tally.counters.fired < hits
        {
            _ = await happens(before: deadline) { await tally.wait(hits: hits) }
        }
        return fault(id)
    }
}

/// Scenarios (`ControlAPI#Endpoints`): scripts that add and remove rules.
///
/// Steps after a time are done when the call that moved the server's clock returns; the rules of steps after a number
/// of pushes hold from the next push on, on any connection.
extension Server {
    /// All scenarios as the control API shows them, the oldest first.
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

    /// Starts a scenario, whose first rules hold when this returns; throws if a scenario or rule of that name exists.
    package func startScenario(_ scenario: Scenario) async throws {
        for (number, step) in scenario.steps.enumerated() {
            for (place, draft) in step.add.enumerated() {
                try checkTokens(of: draft, at: "/steps/\(number)/add/\(place)")
            }
        }
        try await perform(StartScenario(scenario: scenario))
    }

    /// Removes a scenario with the rules that it has added; returns how many those were, or `nil` if it isn't running.
    package func removeScenario(_ name: String, ofScope scope: String? = nil) async throws -> Int? {
        try await perform(RemoveScenario(name: name, scope: scope))
    }

    /// Removes all scenarios, or those of a scope, with the rules that they have added, without events.
    package func removeScenarios(ofScope scope: String? = nil) async throws -> (scenarios: Int, faults: Int) {
        try await perform(RemoveScenarios(scope: scope))
    }
}
