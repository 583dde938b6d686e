internal import APNsRules
internal import MynahCore

/// The fault rules on one loop: a copy of the store's set, adopted anew whenever that has changed.
///
/// Not `Sendable`: it belongs to its loop.
final class LoopFaults {
    let store: FaultStore
    private let seed: UInt64
    private var prefilter = FaultPrefilter()
    private var tallies: [String: FaultTally] = [:]
    private var revision: UInt64 = 0
    // The number of the last push for which the adopted rules hold; `nil` while pushes are not counted.
    private var pushesThrough: Int?
    private var looksAtRequests = false
    private(set) var hasRequestRules = false
    /// Whether a rule depends on a push's device or scope.
    private(set) var namesDevices = false

    init(_ store: FaultStore, seed: UInt64) {
        self.store = store
        self.seed = seed
    }

    @inline(__always)
    func contains(_ event: FaultEvent) -> Bool {
        if store.revision != revision { adopt() }
        return prefilter.contains(event)
    }

    /// Whether requests must be counted or matched.
    @inline(__always)
    var concernRequests: Bool {
        if store.revision != revision { adopt() }
        return looksAtRequests
    }

    /// Finds the first of the adopted rules that acts on a request or a connection.
    ///
    /// Does not look for newer rules: a request that was counted is judged by the rules that hold for its number.
    /// - Parameter watch: Gets each action that waits for silence, with its tally.
    func claim(_ facts: inout FaultFacts, watch: (FaultAction, FaultTally) -> Void) -> FaultFiring? {
        prefilter.first(for: &facts) { [tallies, seed] rule, facts in
            guard let tally = tallies[rule.id], let firing = tally.claim(rule, for: facts, seed: seed) else {
                return nil
            }
            guard firing.action.idleTime == nil else {
                watch(firing.action, tally)
                return nil
            }
            return firing
        }
    }

    /// Counts a push if a scenario waits for pushes, and adopts the rules that hold for it.
    ///
    /// The rules of a step hold from the push after the last one that it waits for, whichever loop counts that: the steps
    /// before this push are performed first.
    /// - Returns: Whether a step was performed, and whether the push is the last one for these rules.
    func countPush(at now: Instant) -> (hasStepped: Bool, isLast: Bool) {
        guard var through = pushesThrough else { return (false, false) }
        let number = store.countPush()
        var hasStepped = false
        while number > through {
            store.advanceScenarios(at: now, pushes: number - 1)
            hasStepped = true
            adopt()
            guard let next = pushesThrough else { return (hasStepped, false) }
            through = next
        }
        return (hasStepped, number == through)
    }

    private func adopt() {
        let snapshot = store.snapshot
        prefilter.adopt(snapshot.set)
        tallies = snapshot.tallies
        revision = snapshot.revision
        pushesThrough = snapshot.pushesThrough
        hasRequestRules = prefilter.contains(.request)
        namesDevices = prefilter.namesDevices
        looksAtRequests = snapshot.pushesThrough != nil || hasRequestRules
    }
}
