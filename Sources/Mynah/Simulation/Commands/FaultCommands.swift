package import APNsRules
package import MynahCore
internal import Synchronization

/// Adds rules, all or none; the last is the newest; `pointers` are their places in the request's body, for errors.
struct AddFaults: Command {
    let drafts: [FaultDraft]
    let seed: UInt64?
    let pointers: [String]?

    func apply(to simulation: Simulation) throws(InputError) -> [FaultView] {
        let made = try simulation.faults.add(drafts, at: simulation.now, seed: seed, pointers: pointers)
        return simulation.faults.views(of: made)
    }
}

extension Server {
    /// Adds rules, all or none; the last is the newest; `pointers` are their places in the request's body, for errors.
    package func addFaults(
        _ drafts: [FaultDraft], seed: UInt64? = nil, pointers: [String]? = nil
    ) async throws(InputError) -> [FaultView] {
        for (index, draft) in drafts.enumerated() { try checkTokens(of: draft, at: pointers?[index] ?? "") }
        return try await perform(AddFaults(drafts: drafts, seed: seed, pointers: pointers))
    }
}

/// Adds the rules of fixtures, all or none, now and after each reset; errors are below `/faults`.
struct LoadFaults: Command {
    let drafts: [FaultDraft]

    func apply(to simulation: Simulation) throws(InputError) {
        let pointers = drafts.indices.map { "/faults/\($0)" }
        let made = try simulation.faults.add(drafts, at: simulation.now, pointers: pointers)
        simulation.baseline.withLock { $0.rules += zip(made, drafts).map { Baseline.Rule(id: $0.id, draft: $1) } }
    }
}

/// Adds a rule or replaces it; it is then the newest and counts from zero.
struct PutFault: Command {
    let id: String
    let draft: FaultDraft

    func apply(to simulation: Simulation) throws(InputError) -> (view: FaultView, isNew: Bool) {
        let now = simulation.now
        let isNew = try simulation.faults.change { set throws(InputError) in
            try set.put(draft, id: id, at: now).isNew
        }
        guard let view = simulation.faults[id] else {
            throw InputError(.conflict, "the rule was removed at the same time")
        }
        return (view, isNew)
    }
}

extension Server {
    /// Adds a rule or replaces it; it is then the newest and counts from zero.
    package func putFault(
        _ draft: FaultDraft, id: String
    ) async throws(InputError) -> (view: FaultView, isNew: Bool) {
        try checkTokens(of: draft)
        return try await perform(PutFault(id: id, draft: draft))
    }
}

/// Changes a part of a rule, which goes on counting; `nil` if there is no such rule.
struct PatchFault: Command {
    let id: String
    let json: JSONValue

    func apply(to simulation: Simulation) throws(InputError) -> FaultView? {
        // Before the lock is taken, which pushes may wait for: reading may compile large regular expressions.
        guard let old = simulation.faults[id]?.rule else { return nil }
        let draft = try FaultSet.draft(of: old, with: json, isKept: true)
        let isThere = try simulation.faults.change(patched: id) { set throws(InputError) in
            try set.patch(id, with: json, prepared: (old, draft)) != nil
        }
        return isThere ? simulation.faults[id] : nil
    }
}

extension Server {
    /// Changes a part of a rule, which goes on counting; `nil` if there is no such rule.
    package func patchFault(_ id: String, with json: JSONValue) async throws(InputError) -> FaultView? {
        if let old = fault(id)?.rule { try checkTokens(of: FaultSet.draft(of: old, with: json)) }
        return try await perform(PatchFault(id: id, json: json))
    }
}

/// Removes a rule; returns whether it was there.
struct RemoveFault: Command {
    let id: String

    func apply(to simulation: Simulation) -> Bool {
        simulation.faults.remove(notesEvents: true) { $0.remove(id).map { [$0.id] } ?? [] } > 0
    }
}

extension Server {
    package func removeFault(_ id: String) async throws(InputError) -> Bool {
        try await perform(RemoveFault(id: id))
    }
}

/// Removes the rules that a filter matches, each as an event, or without a filter all as one; returns how many.
struct RemoveFaults: Command {
    let filter: FaultFilter

    func apply(to simulation: Simulation) -> Int {
        guard filter != FaultFilter() else {
            let count = simulation.faults.remove(notesEvents: false) { $0.removeAll() }
            simulation.events.record(.reset(removed: ["faults": .whole(count)], only: ["faults"], scope: nil))
            return count
        }
        let ids = simulation.faults.views.filter { filter.holds($0.rule, $0.counters) }.map(\.rule.id)
        return simulation.faults.remove(notesEvents: true) { set in ids.compactMap { set.remove($0)?.id } }
    }
}

extension Server {
    /// Removes the rules that a filter matches, each as an event, or without a filter all as one; returns how many.
    package func removeFaults(where filter: FaultFilter) async throws(InputError) -> Int {
        try await perform(RemoveFaults(filter: filter))
    }
}

/// Removes the rules of a scope, or all, without an event; returns how many there were.
struct RemoveFaultsOfScope: Command {
    let scope: String?

    func apply(to simulation: Simulation) -> Int {
        simulation.faults.remove(notesEvents: false) { $0.removeAll(ofScope: scope) }
    }
}

extension Server {
    /// Removes the rules of a scope, or all, without an event; returns how many there were.
    package func removeFaults(ofScope scope: String?) async throws(InputError) -> Int {
        try await perform(RemoveFaultsOfScope(scope: scope))
    }
}

extension CommandKind {
    static let faults: Numbered = [
        29: AddFaults.self,
        30: LoadFaults.self,
        31: PutFault.self,
        32: PatchFault.self,
        33: RemoveFault.self,
        34: RemoveFaults.self,
        35: RemoveFaultsOfScope.self,
    ]
}
