package import APNsRules
package import MynahCore

/// A fault rule with what it has counted.
package struct FaultView: Sendable {
    /// The rule.
    package let rule: FaultRule
    /// What it has counted.
    package let counters: FaultCounters

    /// The rule as the control API shows it.
    package var json: JSONValue { rule.json(counters) }

    init(_ entry: FaultStore.Entry) {
        self.rule = entry.rule
        self.counters = entry.tally.counters
    }
}

/// Fault rules (`ControlAPI#Endpoints`); a change holds for all that comes after the call, on open connections
/// too.
extension Server {
    /// All rules, in the order in which they are asked.
    package var faults: [FaultView] { core.faults.entries.map { FaultView($0) } }

    /// How many rules there are.
    package var faultCount: Int { core.faults.snapshot.set.rules.count }

    /// How often rules have fired since the start or the last reset of faults, removed ones included.
    package var firedFaultCount: Int { core.faults.firedCount }

    /// A rule; `nil` when there is none with this id.
    package func fault(_ id: String) -> FaultView? { core.faults[id].map { FaultView($0) } }

    /// Adds rules, all or none; the last of them is the newest.
    ///
    /// - Parameter pointers: Where each rule is in the request's body, for errors.
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

    /// Makes a rule or puts another in its place, which then is the newest and counts from zero.
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

    /// Changes a part of a rule, whose counters go on; `nil` when there is none with this id.
    package func patchFault(_ id: String, with json: JSONValue) throws(InputError) -> FaultView? {
        let isThere = try core.faults.change(patched: id) { set throws(InputError) in
            (try set.patch(id, with: json) != nil, [])
        }
        return isThere ? fault(id) : nil
    }

    /// Takes a rule away; `false` when there is none with this id.
    package func removeFault(_ id: String) -> Bool { removeFaults { $0.remove(id).map { [$0.id] } ?? [] } > 0 }

    /// Takes the rules of a scope away, or all; answers how many there were; a reset tells it
    /// itself.
    package func removeFaults(ofScope scope: String?) -> Int {
        removeFaults(isTold: false) { set in scope.map { set.removeAll(ofScope: $0) } ?? set.removeAll() }
    }

    /// Takes the rules away that a filter holds for; answers how many there were.
    ///
    /// Each is told as an event, or, without a filter, all as one.
    package func removeFaults(where filter: FaultFilter) -> Int {
        guard filter != FaultFilter() else {
            let count = removeFaults(ofScope: nil)
            events.note(.reset(removed: ["faults": .number(JSONNumber(count))], only: ["faults"], scope: nil))
            return count
        }
        return removeFaults { set in set.rules.filter(filter.holds).compactMap { set.remove($0.id)?.id } }
    }

    /// Waits until a rule has fired so often, is gone, or the deadline is over; the rule then, or `nil` when it is
    /// gone.
    ///
    /// A rule that is put in its place meanwhile is waited for in its stead.
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

    private func removeFaults(isTold: Bool = true, _ remove: (inout FaultSet) -> [String]) -> Int {
        core.faults.remove(isTold: isTold, remove)
    }
}
