package import APNsRules
package import MynahCore
internal import Synchronization

package struct FaultView: Sendable {
    package let rule: FaultRule
    package let counters: FaultCounters
    /// The rule as it stands in events.
    package var json: JSONValue { rule.json(counters) }
    /// The rule as a call of the control API answers it.
    package var answer: JSONValue { rule.answerJSON(counters) }
}

/// The fault rules of a server, and what each has counted; each loop compares ``revision`` with the revision of its own
/// copy before it looks at a request or a connection, and takes the lock only if they differ, so that a rule holds for
/// everything after the call that made it, on open connections too.
final class FaultStore: Sendable {
    struct Snapshot: Sendable {
        var set = FaultSet()
        var tallies: [String: FaultTally] = [:]
        var revision: UInt64 = 0
        /// The number of the last push for which the rules hold; `nil` if no scenario counts pushes.
        var pushesThrough: Int?
    }

    /// The most events of one change.
    static let eventsMax = 1000

    private struct Changes {
        var events: [(view: FaultView, change: Event.Change)] = []
        // The tallies of rules that were removed or replaced.
        var ended: [FaultTally] = []
    }

    private struct State {
        var set = FaultSet()
        var board = ScenarioBoard()
        var tallies: [String: FaultTally] = [:]
        // The firings of removed rules.
        var firedBefore = 0
        // Rules that fired on a request and refuse connections until they are gone.
        var refusers: Set<String> = []

        func view(_ rule: FaultRule) -> FaultView? {
            tallies[rule.id].map { FaultView(rule: rule, counters: $0.counters) }
        }

        /// Gives every rule its tally after the set was changed: a rule of the same age goes on counting.
        mutating func adopt(before: [FaultRule], patched: String?, events: EventLog) -> Changes {
            var changes = Changes()
            var adopted: [String: FaultTally] = [:]
            for rule in set.rules {
                let old = tallies[rule.id]
                let age = set.age(of: rule.id)
                if let old, old.age == age {
                    adopted[rule.id] = old
                    guard rule.id == patched else { continue }
                    old.adopt(rule)
                    changes.events.append((FaultView(rule: rule, counters: old.counters), .changed))
                } else {
                    let tally = FaultTally(rule, age: age, events: events)
                    adopted[rule.id] = tally
                    changes.events.append(
                        (FaultView(rule: rule, counters: FaultCounters()), old == nil ? .created : .changed))
                }
            }
            for rule in before {
                guard let tally = tallies[rule.id], adopted[rule.id] !== tally else { continue }
                firedBefore += tally.counters.fired
                changes.ended.append(tally)
                if adopted[rule.id] == nil {
                    changes.events.append((FaultView(rule: rule, counters: tally.counters), .removed))
                }
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

    var revision: UInt64 { revisions.load(ordering: .acquiring) }
    var snapshot: Snapshot {
        state.withLock { state in
            Snapshot(
                set: state.set, tallies: state.tallies, revision: revisions.load(ordering: .relaxed),
                pushesThrough: state.board.countsPushes ? state.board.pushesThrough : nil)
        }
    }

    var views: [FaultView] { state.withLock { state in state.set.rules.compactMap { state.view($0) } } }
    /// The views of these rules, without the rules that were removed meanwhile.
    func views(of rules: [FaultRule]) -> [FaultView] { state.withLock { state in rules.compactMap { state.view($0) } } }
    subscript(id: String) -> FaultView? { state.withLock { state in state.set[id].flatMap { state.view($0) } } }
    func tally(of id: String) -> FaultTally? { state.withLock { $0.tallies[id] } }

    /// How often rules have fired since the start or ``forgetFirings()``, including removed ones.
    var firedCount: Int {
        state.withLock { state in state.tallies.values.reduce(state.firedBefore) { $0 + $1.counters.fired } }
    }

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

    /// Changes the set, unless `change` throws; `patched` is the id of a rule that keeps its counters.
    func change<Answer: Sendable>(
        patched: String? = nil, _ change: (inout FaultSet) throws(InputError) -> Answer
    ) throws(InputError) -> Answer {
        try changeAll(patched: patched) { set, _, _ throws(InputError) in try change(&set) }
    }

    /// Adds rules, all or none; see ``FaultSet/add(_:ids:at:seed:pointers:)``.
    func add(
        _ drafts: [FaultDraft], at now: Instant, seed: UInt64? = nil, pointers: [String]? = nil
    ) throws(InputError) -> [FaultRule] {
        try change { set throws(InputError) in try set.add(drafts, at: now, seed: seed, pointers: pointers) }
    }

    /// Removes rules, with an event for each if `notesEvents`; returns how many.
    func remove(notesEvents: Bool, _ remove: (inout FaultSet) -> [String]) -> Int {
        changeAll(notesEvents: notesEvents) { set, _, _ in remove(&set).count }
    }

    // `change` also gets the scenarios and the number of pushes that have been counted.
    private func changeAll<Answer: Sendable, Failure: Error>(
        patched: String? = nil, notesEvents: Bool = true,
        _ change: (inout FaultSet, inout ScenarioBoard, Int) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        // Held until the events are recorded, so that the events of two changes keep their order.
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
                events.record(.fault(view.json, change))
            }
            return answer
        }
    }

    func readScenarios<Answer: Sendable>(_ read: (ScenarioBoard, FaultSet, Int) -> Answer) -> Answer {
        state.withLock { read($0.board, $0.set, pushes.load(ordering: .acquiring)) }
    }

    var nextScenarioMoments: [(scope: String?, at: Instant)] { state.withLock { $0.board.nextMoments } }

    /// Starts a scenario; `now` is the time of its clock.
    func startScenario(_ scenario: Scenario, at now: Instant) throws(InputError) {
        try changeAll { set, board, pushes throws(InputError) in
            _ = try board.start(scenario, at: now, pushes: pushes, in: &set)
        }
    }

    /// Removes a scenario and the rules that it has added; returns how many those were, or `nil` if it isn't running.
    func removeScenario(_ name: Scenario.Name) -> Int? {
        changeAll { set, board, _ in board.remove(name, in: &set) }
    }

    /// Removes all scenarios, or the scenarios of a scope, and the rules that they have added, without events; returns
    /// how many.
    func removeScenarios(ofScope scope: String? = nil) -> (scenarios: Int, faults: Int) {
        changeAll(notesEvents: false) { set, board, _ in
            let names = board.entries.map(\.scenario.id).filter { scope == nil || $0.scope == scope }
            return (names.count, names.reduce(0) { $0 + (board.remove($1, in: &set) ?? 0) })
        }
    }

    func moveScenarios(back time: (_ scope: String?) -> Duration) { state.withLock { $0.board.move(back: time) } }

    /// Performs the steps that are due after `pushes`, by default all that have been counted, and at the times of clocks.
    func advanceScenarios(at now: (_ scope: String?) -> Instant, pushes: Int? = nil) {
        changeAll { set, board, counted in _ = board.advance(at: now, pushes: pushes ?? counted, in: &set) }
    }

    func countPush() -> Int { pushes.add(1, ordering: .acquiringAndReleasing).newValue }
}

// MARK: - Snapshots

extension FaultStore {
    /// What a snapshot keeps of the store.
    struct Copy: Sendable {
        fileprivate let set: FaultSet
        fileprivate let board: ScenarioBoard
        // In the order of the set's rules.
        fileprivate let counts: [FaultTally.Counts]
        fileprivate let firedBefore: Int
        fileprivate let refusers: Set<String>
        fileprivate let pushes: Int
    }

    func copy() -> Copy {
        state.withLock { state in
            Copy(
                set: state.set, board: state.board,
                counts: state.set.rules.map { state.tallies[$0.id]?.counts ?? FaultTally.Counts() },
                firedBefore: state.firedBefore, refusers: state.refusers, pushes: pushes.load(ordering: .acquiring))
        }
    }

    /// Goes on with the rules of a snapshot, in place of all others.
    func restore(_ copy: Copy) {
        changes.withLock { _ in
            state.withLock { state in
                let tallies = zip(copy.set.rules, copy.counts).map { rule, counts in
                    (rule.id, FaultTally(rule, age: copy.set.age(of: rule.id), events: events, counts))
                }
                state = State(
                    set: copy.set, board: copy.board, tallies: Dictionary(uniqueKeysWithValues: tallies),
                    firedBefore: copy.firedBefore, refusers: copy.refusers)
                pushes.store(copy.pushes, ordering: .releasing)
                refusing.store(!copy.refusers.isEmpty, ordering: .releasing)
                revisions.add(1, ordering: .releasing)
            }
        }
    }
}

extension FaultStore.Copy: VersionedRecord {
    /// Version 1 has no keys that rules have met.
    static let version: UInt8 = 2

    static let members = CheckedMembers(
        FaultStore.Copy.init(set:board:counts:firedBefore:refusers:pushes:keys:)
    ) {
        (
            $0.set, $0.board, $0.counts, $0.firedBefore, $0.refusers, $0.pushes,
            Since<2, [Met<String>]>($0.counts.map(\.counters.keys))
        )
    }

    private init(
        set: FaultSet, board: ScenarioBoard, counts: [FaultTally.Counts], firedBefore: Int, refusers: Set<String>,
        pushes: Int, keys: Since<2, [Met<String>]>
    ) throws(CodingProblem) {
        guard counts.count == set.rules.count, firedBefore >= 0, pushes >= 0 else {
            throw CodingProblem("what the fault rules have counted is damaged")
        }
        var counts = counts
        if let keys = keys.value {
            guard keys.count == counts.count else { throw CodingProblem("\(keys.count) rules have met keys") }
            for index in counts.indices { counts[index].counters.keys = keys[index] }
        }
        self.init(
            set: set, board: board, counts: counts, firedBefore: firedBefore, refusers: refusers, pushes: pushes)
    }
}
