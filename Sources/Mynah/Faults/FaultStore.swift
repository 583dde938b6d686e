internal import APNsRules
internal import MynahCore
internal import Synchronization

/// The fault rules of a server: the set in force, and what each rule has counted.
///
/// Control calls replace the set under the lock and raise ``revision``; each loop compares that number with the one it
/// has adopted before it looks at a request or a connection, and takes the lock only when they differ. So a rule holds
/// for everything that comes after the call that made it, on open connections too, and costs a load besides.
final class FaultStore: Sendable {
    /// A rule and its counters, side by side.
    struct Entry: Sendable {
        let rule: FaultRule
        let tally: FaultTally
    }

    /// The rules at one moment.
    struct Snapshot: Sendable {
        let set: FaultSet
        let tallies: [String: FaultTally]
        let revision: UInt64
    }

    private struct State {
        var set = FaultSet()
        var tallies: [String: FaultTally] = [:]
        // Firings of rules that are gone.
        var firedBefore = 0
        // Rules that fired on a request and refuse connections until they are gone.
        var refusers: Set<String> = []
    }

    private let state = Mutex(State())
    private let revisions = Atomic<UInt64>(0)
    private let refusing = Atomic<Bool>(false)
    /// Whether magic tokens do what their table says.
    let hasMagicTokens: Bool

    init(hasMagicTokens: Bool) {
        self.hasMagicTokens = hasMagicTokens
    }

    /// Grows with every change of the rules.
    var revision: UInt64 { revisions.load(ordering: .acquiring) }

    /// The rules in force.
    var snapshot: Snapshot {
        state.withLock { Snapshot(set: $0.set, tallies: $0.tallies, revision: revisions.load(ordering: .relaxed)) }
    }

    /// All rules, in the order in which they are asked.
    var entries: [Entry] { state.withLock { state in state.set.rules.compactMap { FaultStore.entry($0, state) } } }

    /// A rule; `nil` when there is none with this id.
    subscript(id: String) -> Entry? {
        state.withLock { state in state.set[id].flatMap { FaultStore.entry($0, state) } }
    }

    /// How often rules have fired since the start, those that are gone among them.
    var firedCount: Int {
        state.withLock { state in state.tallies.values.reduce(state.firedBefore) { $0 + $1.counters.fired } }
    }

    /// Changes the set; rules whose ids are in `renewed` count from zero, those that stay go on.
    ///
    /// Nothing changes when `change` throws. Whoever waits for a rule that is gone or made anew is woken.
    func change<Answer>(
        _ change: (inout FaultSet) throws(FaultSet.ChangeError) -> (answer: Answer, renewed: [String])
    ) throws(FaultSet.ChangeError) -> Answer {
        var ended: [FaultTally] = []
        let answer = try state.withLock { state throws(FaultSet.ChangeError) in
            let (answer, renewed) = try change(&state.set)
            var tallies: [String: FaultTally] = [:]
            for rule in state.set.rules {
                tallies[rule.id] = renewed.contains(rule.id) ? FaultTally() : state.tallies[rule.id] ?? FaultTally()
            }
            for (id, tally) in state.tallies where tallies[id] !== tally {
                state.firedBefore += tally.counters.fired
                ended.append(tally)
            }
            state.tallies = tallies
            state.refusers = state.refusers.filter { state.set[$0]?.isEnabled == true && !renewed.contains($0) }
            refusing.store(!state.refusers.isEmpty, ordering: .releasing)
            revisions.add(1, ordering: .releasing)
            return answer
        }
        for tally in ended { tally.end() }
        return answer
    }

    /// Whether new connections are refused because a rule with this action has fired on a request.
    var refusesConnections: Bool { refusing.load(ordering: .acquiring) }

    /// Refuses new connections for as long as a rule is there and enabled.
    func refuseConnections(untilGone id: String) {
        state.withLock { state in
            guard state.set[id]?.isEnabled == true else { return }
            state.refusers.insert(id)
            refusing.store(true, ordering: .releasing)
        }
    }

    private static func entry(_ rule: FaultRule, _ state: borrowing State) -> Entry? {
        state.tallies[rule.id].map { Entry(rule: rule, tally: $0) }
    }
}
