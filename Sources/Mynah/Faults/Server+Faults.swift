package import APNsRules
package import MynahCore

/// A fault rule with what it has counted.
package struct FaultView: Sendable {
    package let rule: FaultRule
    package let counters: FaultCounters

    package var json: JSONValue { rule.json(counters) }

    init(_ entry: FaultStore.Entry) {
        self.rule = entry.rule
        self.counters = entry.tally.counters
    }
}

/// Fault rules (`ControlAPI#Endpoints`); a change holds for everything after the call, on open connections too.
extension Server {
    /// All rules, in the order in which they are asked.
    package var faults: [FaultView] { core.faults.entries.map { FaultView($0) } }

    package var faultCount: Int { core.faults.snapshot.set.rules.count }

    /// How often rules have fired since the start or the last reset of faults, including removed ones.
    package var firedFaultCount: Int { core.faults.firedCount }

    package func fault(_ id: String) -> FaultView? { core.faults[id].map { FaultView($0) } }

    /// Adds rules, all or none; the last of them is the newest.
    ///
    /// - Parameter pointers: The place of each rule in the request's body, for errors.
    package func addFaults(
        _ drafts: [FaultDraft], seed: UInt64? = nil, pointers: [String]? = nil
    ) throws(InputError) -> [FaultView] {
        let now = now
        let made = try core.faults.change { set throws(InputError) in
            let rules = try set.add(drafts, at: now, seed: seed, pointers: pointers)
            return (rules, rules.map(\.id))
        }
        return core.faults.entries(of: made).map { FaultView($0) }
    }

    /// Adds a rule or replaces it; it is then the newest and counts from zero.
    package func putFault(
        _ draft: FaultDraft, id: String
    ) throws(InputError) -> (view: FaultView, isNew: Bool) {
        let now = now
        let isNew = try core.faults.change { set throws(InputError) in
            (try set.put(draft, id: id, at: now).isNew, [id])
        }
        guard let view = fault(id) else { throw InputError(.conflict, "the rule was removed at the same time") }
        return (view, isNew)
    }

    /// Changes a part of a rule, which goes on counting; `nil` if there is no such rule.
    package func patchFault(_ id: String, with json: JSONValue) throws(InputError) -> FaultView? {
        let isThere = try core.faults.change(patched: id) { set throws(InputError) in
            (try set.patch(id, with: json) != nil, [])
        }
        return isThere ? fault(id) : nil
    }

    /// Removes a rule; returns `false` if there is no such rule.
    package func removeFault(_ id: String) -> Bool {
        core.faults.remove(notesEvents: true) { $0.remove(id).map { [$0.id] } ?? [] } > 0
    }

    /// Removes the rules of a scope, or all, without an event; returns how many there were.
    package func removeFaults(ofScope scope: String?) -> Int {
        core.faults.remove(notesEvents: false) { set in scope.map { set.removeAll(ofScope: $0) } ?? set.removeAll() }
    }

    /// Removes the rules that a filter matches; returns how many there were.
    ///
    /// Each is an event, or, without a filter, all are one.
    package func removeFaults(where filter: FaultFilter) -> Int {
        guard filter != FaultFilter() else {
            let count = removeFaults(ofScope: nil)
            events.note(.reset(removed: ["faults": .number(JSONNumber(count))], only: ["faults"], scope: nil))
            return count
        }
        return core.faults.remove(notesEvents: true) { set in
            set.rules.filter(filter.holds).compactMap { set.remove($0.id)?.id }
        }
    }

    /// Waits until a rule has fired `hits` times, is gone, or the deadline is over; returns the rule, or `nil` if it is
    /// gone.
    ///
    /// If it is replaced meanwhile, waits for the new one.
    package func waitForFault(
        _ id: String, hits: Int, until deadline: ContinuousClock.Instant
    ) async -> FaultView? {
        while !Task.isCancelled, ContinuousClock.now < deadline, let entry = core.faults[id],
            entry.tally.counters.fired < hits
        {
            _ = await happens(before: deadline) { await entry.tally.wait(hits: hits) }
        }
        return fault(id)
    }
}
