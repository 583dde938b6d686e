internal import MynahCore
internal import Synchronization

// Changes of the state, which a log keeps; the subcommands are in MynahCLI/Commands.

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

/// Removes a rule; returns whether it was there.
struct RemoveFault: Command {
    let id: String

    func apply(to simulation: Simulation) -> Bool {
        simulation.faults.remove(notesEvents: true) { $0.remove(id).map { [$0.id] } ?? [] } > 0
    }
}

/// Removes the rules that a filter matches, each as an event, or without a filter all as one; returns how many.
struct RemoveFaults: Command {
    let filter: FaultFilter

    func apply(to simulation: Simulation) -> Int {
        guard filter != FaultFilter() else {
            let count = simulation.faults.remove(notesEvents: false) { $0.removeAll() }
            simulation.events.note(.reset(removed: ["faults": .whole(count)], only: ["faults"], scope: nil))
            return count
        }
        let ids = simulation.faults.views.filter { filter.holds($0.rule, $0.counters) }.map(\.rule.id)
        return simulation.faults.remove(notesEvents: true) { set in ids.compactMap { set.remove($0)?.id } }
    }
}

/// Removes the rules of a scope, or all, without an event; returns how many there were.
struct RemoveFaultsOfScope: Command {
    let scope: String?

    func apply(to simulation: Simulation) -> Int {
        simulation.faults.remove(notesEvents: false) { $0.removeAll(ofScope: scope) }
    }
}
