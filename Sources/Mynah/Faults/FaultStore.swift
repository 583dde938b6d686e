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
        /// The number of the last push for which the rules hold; `nil` where no scenario counts pushes.
        let pushesThrough: Int?
    }

    private struct State {
        var set = FaultSet()
        var board = ScenarioBoard()
        var tallies: [String: FaultTally] = [:]
        // Firings of rules that are gone.
        var firedBefore = 0
        // Rules that fired on a request and refuse connections until they are gone.
        var refusers: Set<String> = []
    }

    private let state = Mutex(State())
    private let revisions = Atomic<UInt64>(0)
    private let refusing = Atomic<Bool>(false)
    // Counts while a scenario waits for pushes, from where it stood before.
    private let pushes = Atomic<Int>(0)
    /// Whether magic tokens do what their table says.
    let hasMagicTokens: Bool

    init(hasMagicTokens: Bool) {
        self.hasMagicTokens = hasMagicTokens
    }

    /// Grows with every change of the rules.
    var revision: UInt64 { revisions.load(ordering: .acquiring) }

    /// The rules in force.
    var snapshot: Snapshot {
        state.withLock { state in
            Snapshot(
                set: state.set, tallies: state.tallies, revision: revisions.load(ordering: .relaxed),
                pushesThrough: state.board.countsPushes ? state.board.pushesThrough : nil)
        }
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
        try changeAll { set, _, _ throws(FaultSet.ChangeError) in try change(&set) }
    }

    // With the scenarios, and how many pushes have been counted.
    private func changeAll<Answer>(
        _ change: (inout FaultSet, inout ScenarioBoard, Int) throws(FaultSet.ChangeError) -> (
            answer: Answer, renewed: [String]
        )
    ) throws(FaultSet.ChangeError) -> Answer {
        var ended: [FaultTally] = []
        let answer = try state.withLock { state throws(FaultSet.ChangeError) in
            let (answer, renewed) = try change(
                &state.set, &state.board, pushes.load(ordering: .acquiring))
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

    /// Takes rules away; how many.
    func remove(_ remove: (inout FaultSet) -> [String]) -> Int {
        changeSurely { set, _, _ in (remove(&set).count, []) }
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

    // MARK: Scenarios

    /// What the scenarios say, with the rules and how many pushes have been counted.
    func readScenarios<Answer: Sendable>(_ read: (ScenarioBoard, FaultSet, Int) -> Answer) -> Answer {
        state.withLock { read($0.board, $0.set, pushes.load(ordering: .acquiring)) }
    }

    /// When the next step is due that waits for the clock.
    var nextScenarioMoment: Instant? { state.withLock { $0.board.nextMoment } }

    /// Lets a scenario begin.
    func startScenario(_ scenario: Scenario, at now: Instant) throws(FaultSet.ChangeError) {
        try changeAll { set, board, pushes throws(FaultSet.ChangeError) in
            ((), try board.start(scenario, at: now, pushes: pushes, in: &set))
        }
    }

    /// Takes a scenario away, and the rules that it has added; how many those were, or `nil` when there is none.
    func removeScenario(_ name: String) -> Int? {
        changeSurely { set, board, _ in (board.remove(name, in: &set), []) }
    }

    /// Does the steps that are due.
    ///
    /// - Parameter pushes: How many pushes have been counted, or fewer: those before the one that asks.
    func advanceScenarios(at now: Instant, pushes: Int? = nil) {
        changeSurely { set, board, counted in
            ((), board.advance(at: now, pushes: pushes ?? counted, in: &set))
        }
    }

    /// Counts a push; its number.
    func countPush() -> Int { pushes.add(1, ordering: .acquiringAndReleasing).newValue }

    private func changeSurely<Answer>(
        _ change: (inout FaultSet, inout ScenarioBoard, Int) -> (answer: Answer, renewed: [String])
    ) -> Answer {
        do throws(FaultSet.ChangeError) {
            return try changeAll { set, board, pushes throws(FaultSet.ChangeError) in
                change(&set, &board, pushes)
            }
        } catch {
            preconditionFailure("a change that cannot fail has failed: \(error)")
        }
    }

    private static func entry(_ rule: FaultRule, _ state: borrowing State) -> Entry? {
        state.tallies[rule.id].map { Entry(rule: rule, tally: $0) }
    }
}
