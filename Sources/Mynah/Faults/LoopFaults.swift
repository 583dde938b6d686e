internal import APNsRules
internal import MynahCore

/// The fault rules on one loop: a copy of the store's set, adopted anew whenever that has changed.
final class LoopFaults {
    let store: FaultStore
    private let seed: UInt64
    private var prefilter = FaultPrefilter()
    private var adopted = FaultStore.Snapshot()
    // Copies of what the prefilter says, since computing it copies the prefilter.
    private(set) var hasRequestRules = false
    /// Whether a rule depends on a push's device or scope.
    private(set) var namesDevices = false

    init(_ store: FaultStore, seed: UInt64) {
        self.store = store
        self.seed = seed
    }

    @inline(__always)
    func contains(_ event: FaultEvent) -> Bool {
        if store.revision != adopted.revision { adopt() }
        return prefilter.contains(event)
    }

    /// Whether a request must be counted, or may match a rule.
    @inline(__always)
    func mayConcern(_ push: borrowing Candidate, connection: UInt64, isAboutChannels: @autoclosure () -> Bool) -> Bool {
        if store.revision != adopted.revision { adopt() }
        if adopted.pushesThrough != nil { return true }
        guard hasRequestRules else { return false }
        return isAboutChannels() || !prefilter.excludes(push, connection: connection)
    }

    /// Finds the first rule that acts on a request or a connection, without looking for newer rules: a request that was
    /// counted is judged by the rules that hold for its number; `watch` gets each action that waits for silence.
    ///
    /// - Parameter isAhead: Whether the claim itself is still to come, in the order of a log.
    func claim(
        _ facts: inout FaultFacts, isAhead: Bool = false, watch: (FaultAction, FaultTally) -> Void
    ) -> FaultFiring? {
        prefilter.first(for: &facts) { [tallies = adopted.tallies, seed] rule, facts in
            guard let tally = tallies[rule.id] else { return nil }
            let claimed =
                isAhead
                ? tally.claimAhead(rule, for: facts, seed: seed) : tally.claim(rule, for: facts, seed: seed)
            guard let firing = claimed else { return nil }
            guard firing.action.idleTime != nil else { return firing }
            watch(firing.action, tally)
            return nil
        }
    }

    /// Counts a push if a scenario waits for pushes, and adopts the rules that hold for it: the rules of a step hold
    /// from the push after the last one that it waits for, whichever loop counts that one, so earlier steps are
    /// performed first; `now` has the times of clocks, which this loop may still have later than they are.
    func countPush(at now: () -> (String?) -> Instant) -> (hasStepped: Bool, isLast: Bool) {
        guard var through = adopted.pushesThrough else { return (false, false) }
        let number = store.countPush()
        var hasStepped = false
        while number > through {
            store.advanceScenarios(at: now(), pushes: number - 1)
            hasStepped = true
            adopt()
            guard let next = adopted.pushesThrough else { return (hasStepped, false) }
            through = next
        }
        return (hasStepped, number == through)
    }

    private func adopt() {
        adopted = store.snapshot
        prefilter.adopt(adopted.set)
        hasRequestRules = prefilter.contains(.request)
        namesDevices = prefilter.namesDevices
    }
}
