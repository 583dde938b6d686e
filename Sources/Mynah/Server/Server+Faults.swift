package import APNsRules
package import MynahCore

/// Fault rules (`ControlAPI#Endpoints`); a change holds for everything after the call, on open connections too.
extension Server {
    package var faults: [FaultView] { core.faults.views }
    package var faultCount: Int { core.faults.snapshot.set.rules.count }
    /// How often rules have fired since the start or the last reset of faults, including removed ones.
    package var firedFaultCount: Int { core.faults.firedCount }
    package func fault(_ id: String) -> FaultView? { core.faults[id] }

    /// Adds rules, all or none; the last is the newest; `pointers` are their places in the request's body, for errors.
    package func addFaults(
        _ drafts: [FaultDraft], seed: UInt64? = nil, pointers: [String]? = nil
    ) throws(InputError) -> [FaultView] {
        let now = now
        let made = try core.faults.change { set throws(InputError) in
            try set.add(drafts, at: now, seed: seed, pointers: pointers)
        }
        return core.faults.views(of: made)
    }

    /// Adds a rule or replaces it; it is then the newest and counts from zero.
    package func putFault(_ draft: FaultDraft, id: String) throws(InputError) -> (view: FaultView, isNew: Bool) {
        let now = now
        let isNew = try core.faults.change { set throws(InputError) in try set.put(draft, id: id, at: now).isNew }
        guard let view = fault(id) else { throw InputError(.conflict, "the rule was removed at the same time") }
        return (view, isNew)
    }

    /// Changes a part of a rule, which goes on counting; `nil` if there is no such rule.
    package func patchFault(_ id: String, with json: JSONValue) throws(InputError) -> FaultView? {
        // Before the lock is taken, which pushes may wait for: reading may compile large regular expressions.
        guard let old = fault(id)?.rule else { return nil }
        let draft = try FaultSet.draft(of: old, with: json)
        let isThere = try core.faults.change(patched: id) { set throws(InputError) in
            try set.patch(id, with: json, prepared: (old, draft)) != nil
        }
        return isThere ? fault(id) : nil
    }

    package func removeFault(_ id: String) -> Bool {
        core.faults.remove(notesEvents: true) { $0.remove(id).map { [$0.id] } ?? [] } > 0
    }

    /// Removes the rules of a scope, or all, without an event; returns how many there were.
    package func removeFaults(ofScope scope: String?) -> Int {
        core.faults.remove(notesEvents: false) { $0.removeAll(ofScope: scope) }
    }

    /// Removes the rules that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeFaults(where filter: FaultFilter) -> Int {
        guard filter != FaultFilter() else {
            let count = removeFaults(ofScope: nil)
            events.note(.reset(removed: ["faults": .whole(count)], only: ["faults"], scope: nil))
            return count
        }
        return core.faults.remove(notesEvents: true) { set in
            set.rules.filter(filter.holds).compactMap { set.remove($0.id)?.id }
        }
    }

    /// Waits until a rule, or one that replaces it, has fired `hits` times; returns it, or `nil` once it is gone.
    package func waitForFault(_ id: String, hits: Int, until deadline: ContinuousClock.Instant) async -> FaultView? {
        while !Task.isCancelled, ContinuousClock.now < deadline, let tally = core.faults.tally(of: id),
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
        core.faults.readScenarios { board, set, pushes in
            board.entries.map { board.json($0, pushes: pushes, in: set) }
        }
    }

    /// A scenario as the control API shows it; `nil` if no scenario of this name is running.
    package func scenario(_ name: String) -> JSONValue? {
        core.faults.readScenarios { board, set, pushes in board[name].map { board.json($0, pushes: pushes, in: set) } }
    }

    /// Starts a scenario, whose first rules hold when this returns; throws if a scenario or rule of that name exists.
    package func startScenario(_ scenario: Scenario) async throws {
        try core.faults.startScenario(scenario, at: now)
        try await watchScenarios()
    }

    /// Removes a scenario with the rules that it has added; returns how many those were, or `nil` if it isn't running.
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

    func moveScenarios(back time: Duration) async throws {
        core.faults.moveScenarios(back: time)
        try await watchScenarios()
    }

    // Every loop watches the clock, and the first one that sees a step fall due performs it for all.
    private func watchScenarios() async throws { try await loops.update { $0.watchScenarios() } }
}
