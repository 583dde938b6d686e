internal import APNsRules
internal import MynahCore

/// The fault rules as one loop asks them; adopts the store's set whenever that has changed.
///
/// Not `Sendable`: it belongs to its loop.
final class LoopFaults {
    private let store: FaultStore
    private let seed: UInt64
    private var sieve = FaultSieve()
    private var tallies: [String: FaultTally] = [:]
    private var revision: UInt64 = 0

    init(_ store: FaultStore, seed: UInt64) {
        self.store = store
        self.seed = seed
    }

    /// Whether a rule is asked at an event; when not, nothing more need be found out about it.
    @inline(__always)
    func contains(_ event: FaultEvent) -> Bool {
        if store.revision != revision { adopt() }
        return sieve.contains(event)
    }

    /// Whether a rule asks for a push's device or scope.
    var namesDevices: Bool { sieve.namesDevices }

    /// Puts the rules to a request or connection, in their order; what the first one that acts does.
    func claim(_ facts: FaultFacts) -> FaultFiring? {
        if store.revision != revision { adopt() }
        var facts = facts
        return sieve.first(for: &facts) { [tallies, seed] rule, facts in
            tallies[rule.id]?.claim(rule, for: facts, seed: seed)
        }
    }

    private func adopt() {
        let snapshot = store.snapshot
        sieve.adopt(snapshot.set)
        tallies = snapshot.tallies
        revision = snapshot.revision
    }
}
