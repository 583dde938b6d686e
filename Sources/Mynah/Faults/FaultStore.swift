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

    // What a change came to.
    private struct Made {
        var told: [(entry: Entry, change: Event.Change)] = []
        // Of rules that are gone or made anew.
        var ended: [FaultTally] = []
    }

    /// The most rules of one change that are told as events of their own.
    static let toldMax = 1000

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
    private let changes = Mutex(())
    private let events: EventLog
    private let revisions = Atomic<UInt64>(0)
    private let refusing = Atomic<Bool>(false)
    // Counts while a scenario waits for pushes, from where it stood before.
    private let pushes = Atomic<Int>(0)
    /// Whether magic tokens do what their table says.
    let hasMagicTokens: Bool

    init(hasMagicTokens: Bool, events: EventLog) {
        self.hasMagicTokens = hasMagicTokens
        self.events = events
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

    /// Those of these rules that have not been removed meanwhile.
    func entries(of rules: [FaultRule]) -> [Entry] {
        state.withLock { state in rules.compactMap { FaultStore.entry($0, state) } }
    }

    /// A rule; `nil` when there is none with this id.
    subscript(id: String) -> Entry? {
        state.withLock { state in state.set[id].flatMap { FaultStore.entry($0, state) } }
    }

    /// How often rules have fired since the start or ``forgetFirings()``, removed ones included.
    var firedCount: Int {
        state.withLock { state in state.tallies.values.reduce(state.firedBefore) { $0 + $1.counters.fired } }
    }

    /// Counts the firings of removed rules from zero.
    func forgetFirings() { state.withLock { $0.firedBefore = 0 } }

    /// Changes the set; rules whose ids are in `renewed` count from zero, those that stay go on.
    ///
    /// Nothing changes when `change` throws. Whoever waits for a rule that is gone or made anew is woken.
    /// - Parameter patched: The id of the one rule that is changed and goes on, if there is one.
    func change<Answer: Sendable>(
        patched: String? = nil,
        _ change: (inout FaultSet) throws(InputError) -> (answer: Answer, renewed: [String])
    ) throws(InputError) -> Answer {
        try changeAll(patched: patched) { set, _, _ throws(InputError) in try change(&set) }
    }

    // With the scenarios, and how many pushes have been counted.
    private func changeAll<Answer: Sendable>(
        patched: String? = nil, isTold: Bool = true,
        _ change: (inout FaultSet, inout ScenarioBoard, Int) throws(InputError) -> (
            answer: Answer, renewed: [String]
        )
    ) throws(InputError) -> Answer {
        // Held beyond the change, so that of two the later one is told later.
        try changes.withLock { _ throws(InputError) in
            let (answer, made) = try state.withLock { state throws(InputError) in
                let before = state.set.rules
                let (answer, renewed) = try change(
                    &state.set, &state.board, pushes.load(ordering: .acquiring))
                let made = FaultStore.adopt(&state, before: before, renewed: Set(renewed), patched: patched)
                refusing.store(!state.refusers.isEmpty, ordering: .releasing)
                revisions.add(1, ordering: .releasing)
                return (answer, made)
            }
            for tally in made.ended { tally.end() }
            if isTold { tell(made) }
            return answer
        }
    }

    // Gives every rule its tally, after the set was changed.
    private static func adopt(
        _ state: inout State, before: [FaultRule], renewed: Set<String>, patched: String?
    ) -> Made {
        var made = Made()
        var tallies: [String: FaultTally] = [:]
        for rule in state.set.rules {
            if let tally = state.tallies[rule.id], !renewed.contains(rule.id) {
                tallies[rule.id] = tally
                guard rule.id == patched else { continue }
                tally.adopt(rule)
                made.told.append((Entry(rule: rule, tally: tally), .changed))
            } else {
                let entry = Entry(rule: rule, tally: FaultTally(rule))
                tallies[rule.id] = entry.tally
                made.told.append((entry, state.tallies[rule.id] == nil ? .created : .changed))
            }
        }
        for rule in before {
            guard let tally = state.tallies[rule.id], tallies[rule.id] !== tally else { continue }
            state.firedBefore += tally.counters.fired
            made.ended.append(tally)
            if tallies[rule.id] == nil { made.told.append((Entry(rule: rule, tally: tally), .removed)) }
        }
        state.tallies = tallies
        state.refusers = state.refusers.filter { state.set[$0]?.isEnabled == true && !renewed.contains($0) }
        return made
    }

    /// Takes rules away; how many.
    ///
    /// - Parameter isTold: Whether each is told as an event.
    func remove(isTold: Bool, _ remove: (inout FaultSet) -> [String]) -> Int {
        changeSurely(isTold: isTold) { set, _, _ in (remove(&set).count, []) }
    }

    // MARK: Telling

    private func tell(_ made: Made) {
        for (entry, change) in made.told.prefix(FaultStore.toldMax) {
            events.note(.fault(entry.rule.json(entry.tally.counters), change))
        }
    }

    /// Lets it be told that a rule has fired, now or soon; asked for by ``FaultTally/claim(_:for:seed:)``.
    func tellFirings(of id: String, _ tally: FaultTally) {
        events.noteFiring(of: id) { tally.takeTold() }
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
    func startScenario(_ scenario: Scenario, at now: Instant) throws(InputError) {
        try changeAll { set, board, pushes throws(InputError) in
            ((), try board.start(scenario, at: now, pushes: pushes, in: &set))
        }
    }

    /// Takes a scenario away, and the rules that it has added; how many those were, or `nil` when there is none.
    ///
    /// - Parameter isTold: Whether each of these is told as an event.
    func removeScenario(_ name: String, isTold: Bool = true) -> Int? {
        changeSurely(isTold: isTold) { set, board, _ in (board.remove(name, in: &set), []) }
    }

    /// Lets the scenarios go on from where they are after the server's clock was put back by so much.
    func moveScenarios(back time: Duration) { state.withLock { $0.board.move(back: time) } }

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

    private func changeSurely<Answer: Sendable>(
        isTold: Bool = true,
        _ change: (inout FaultSet, inout ScenarioBoard, Int) -> (answer: Answer, renewed: [String])
    ) -> Answer {
        do throws(InputError) {
            return try changeAll(isTold: isTold) { set, board, pushes throws(InputError) in
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
