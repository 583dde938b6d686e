package import APNsRules
package import MynahCore
internal import Synchronization

/// A fault rule with what it has counted.
package struct FaultView: Sendable {
    package let rule: FaultRule
    package let counters: FaultCounters

    package var json: JSONValue { rule.json(counters) }

    init(_ rule: FaultRule, _ tally: FaultTally) {
        self.rule = rule
        self.counters = tally.counters
    }
}

/// The fault rules of a server: the set in force, and what each rule has counted.
///
/// A change replaces the set under the lock and raises ``revision``; each loop compares that with the revision it has
/// adopted before it looks at a request or a connection, and takes the lock only if they differ. So a rule holds for
/// everything after the call that made it, on open connections too, and otherwise costs a load.
final class FaultStore: Sendable {
    struct Snapshot: Sendable {
        let set: FaultSet
        let tallies: [String: FaultTally]
        let revision: UInt64
        /// The number of the last push for which the rules hold; `nil` if no scenario counts pushes.
        let pushesThrough: Int?
    }

    /// What a change did.
    private struct Changes {
        var events: [(view: FaultView, change: Event.Change)] = []
        // The tallies of rules that were removed or replaced.
        var ended: [FaultTally] = []
    }

    /// The most events of one change.
    static let eventsMax = 1000

    private struct State {
        var set = FaultSet()
        var board = ScenarioBoard()
        var tallies: [String: FaultTally] = [:]
        // The firings of removed rules.
        var firedBefore = 0
        // Rules that fired on a request and refuse connections until they are gone.
        var refusers: Set<String> = []

        func view(_ rule: FaultRule) -> FaultView? { tallies[rule.id].map { FaultView(rule, $0) } }

        /// Gives every rule its tally after the set was changed: a rule of the same age goes on counting.
        mutating func adopt(before: [FaultRule], patched: String?, events: EventLog) -> Changes {
            var changes = Changes()
            var adopted: [String: FaultTally] = [:]
            for rule in set.rules {
                let (old, age) = (tallies[rule.id], set.age(of: rule.id))
                if let old, old.age == age {
                    adopted[rule.id] = old
                    guard rule.id == patched else { continue }
                    old.adopt(rule)
                    changes.events.append((FaultView(rule, old), .changed))
                } else {
                    let tally = FaultTally(rule, age: age, events: events)
                    adopted[rule.id] = tally
                    changes.events.append((FaultView(rule, tally), old == nil ? .created : .changed))
                }
            }
            for rule in before {
                guard let tally = tallies[rule.id], adopted[rule.id] !== tally else { continue }
                firedBefore += tally.counters.fired
                changes.ended.append(tally)
                if adopted[rule.id] == nil { changes.events.append((FaultView(rule, tally), .removed)) }
            }
            refusers = refusers.filter { set[$0]?.isEnabled == true && adopted[$0] === tallies[$0] }
            tallies = adopted
            return changes
        }
    }

    private let state = Mutex(State())
    private let changes = Mutex(())
    private let events: EventLog
    private let revisions = Atomic<UInt64>(0)
    private let refusing = Atomic<Bool>(false)
    // Counts only while a scenario waits for pushes.
    private let pushes = Atomic<Int>(0)
    let hasMagicTokens: Bool

    init(hasMagicTokens: Bool, events: EventLog) {
        self.hasMagicTokens = hasMagicTokens
        self.events = events
    }

    /// Grows with every change of the rules.
    var revision: UInt64 { revisions.load(ordering: .acquiring) }

    var snapshot: Snapshot {
        state.withLock { state in
            Snapshot(
                set: state.set, tallies: state.tallies, revision: revisions.load(ordering: .relaxed),
                pushesThrough: state.board.countsPushes ? state.board.pushesThrough : nil)
        }
    }

    /// All rules, in the order in which they are asked.
    var views: [FaultView] { state.withLock { state in state.set.rules.compactMap { state.view($0) } } }

    /// Those of these rules that have not been removed meanwhile.
    func views(of rules: [FaultRule]) -> [FaultView] {
        state.withLock { state in rules.compactMap { state.view($0) } }
    }

    subscript(id: String) -> FaultView? { state.withLock { state in state.set[id].flatMap { state.view($0) } } }

    func tally(of id: String) -> FaultTally? { state.withLock { $0.tallies[id] } }

    /// How often rules have fired since the start or ``forgetFirings()``, including removed ones.
    var firedCount: Int {
        state.withLock { state in state.tallies.values.reduce(state.firedBefore) { $0 + $1.counters.fired } }
    }

    /// Counts the firings of removed rules from zero.
    func forgetFirings() { state.withLock { $0.firedBefore = 0 } }

    /// Whether new connections are refused because a rule with this action has fired on a request.
    var refusesConnections: Bool { refusing.load(ordering: .acquiring) }

    /// Refuses new connections while a rule exists and is enabled.
    func refuseConnections(untilGone id: String) {
        state.withLock { state in
            guard state.set[id]?.isEnabled == true else { return }
            state.refusers.insert(id)
            refusing.store(true, ordering: .releasing)
        }
    }

    // MARK: Changing

    /// Changes the set; nothing changes when `change` throws.
    ///
    /// - Parameter patched: The id of the rule that is changed and goes on counting.
    func change<Answer: Sendable>(
        patched: String? = nil, _ change: (inout FaultSet) throws(InputError) -> Answer
    ) throws(InputError) -> Answer {
        try changeAll(patched: patched) { set, _, _ throws(InputError) in try change(&set) }
    }

    /// Removes rules; returns how many.
    ///
    /// - Parameter notesEvents: Whether each removal is an event.
    func remove(notesEvents: Bool, _ remove: (inout FaultSet) -> [String]) -> Int {
        changeAll(notesEvents: notesEvents) { set, _, _ in remove(&set).count }
    }

    // `change` also gets the scenarios and the number of pushes that have been counted.
    private func changeAll<Answer: Sendable, Failure: Error>(
        patched: String? = nil, notesEvents: Bool = true,
        _ change: (inout FaultSet, inout ScenarioBoard, Int) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        // Held until the events are noted, so that those of two changes keep their order.
        try changes.withLock { _ throws(Failure) in
            let (answer, changes) = try state.withLock { state throws(Failure) in
                let before = state.set.rules
                let answer = try change(&state.set, &state.board, pushes.load(ordering: .acquiring))
                let changes = state.adopt(before: before, patched: patched, events: events)
                refusing.store(!state.refusers.isEmpty, ordering: .releasing)
                revisions.add(1, ordering: .releasing)
                return (answer, changes)
            }
            for tally in changes.ended { tally.end() }
            for (view, change) in changes.events.prefix(notesEvents ? FaultStore.eventsMax : 0) {
                events.note(.fault(view.json, change))
            }
            return answer
        }
    }

    // MARK: Scenarios

    /// Reads the scenarios, with the rules and the number of pushes that have been counted.
    func readScenarios<Answer: Sendable>(_ read: (ScenarioBoard, FaultSet, Int) -> Answer) -> Answer {
        state.withLock { read($0.board, $0.set, pushes.load(ordering: .acquiring)) }
    }

    /// When the next step is due that waits for the clock.
    var nextScenarioMoment: Instant? { state.withLock { $0.board.nextMoment } }

    func startScenario(_ scenario: Scenario, at now: Instant) throws(InputError) {
        try changeAll { set, board, pushes throws(InputError) in
            _ = try board.start(scenario, at: now, pushes: pushes, in: &set)
        }
    }

    /// Removes a scenario and the rules that it has added; returns how many those were, or `nil` if it isn't running.
    ///
    /// - Parameter notesEvents: Whether each rule's removal is an event.
    func removeScenario(_ name: String, notesEvents: Bool = true) -> Int? {
        changeAll(notesEvents: notesEvents) { set, board, _ in board.remove(name, in: &set) }
    }

    /// Lets the scenarios continue where they are after the server's clock was put back by `time`.
    func moveScenarios(back time: Duration) { state.withLock { $0.board.move(back: time) } }

    /// Performs the steps that are due.
    ///
    /// - Parameter pushes: The number of pushes to go by, if not all that have been counted.
    func advanceScenarios(at now: Instant, pushes: Int? = nil) {
        changeAll { set, board, counted in _ = board.advance(at: now, pushes: pushes ?? counted, in: &set) }
    }

    /// Counts a push; returns its number.
    func countPush() -> Int { pushes.add(1, ordering: .acquiringAndReleasing).newValue }
}
