internal import APNsRules
internal import MynahCore

/// What one fault rule has counted on all loops, and the tasks that wait for it to fire.
final class FaultTally: Sendable {
    private struct State: Sendable {
        var rule: FaultRule
        var counters: FaultCounters
        // What connections have counted that act before their claims come in the order of a log.
        var ahead: FaultCounters?
        // Whether an event about a firing is requested, which will also cover all firings until then.
        var isReportPending: Bool
        // Whether the rule has been removed or replaced.
        var isOver = false
    }

    /// The age of the rule in its set, which distinguishes it from another one with its id.
    let age: Int?
    let ruleID: String
    private let events: EventLog
    private let state: Watched<State>

    init(_ rule: FaultRule, age: Int?, events: EventLog, _ counts: Counts = Counts()) {
        self.age = age
        ruleID = rule.id
        self.events = events
        state = Watched(
            State(rule: rule, counters: counts.counters, isReportPending: counts.isReportPending))
        if counts.isReportPending { events.restorePendingFiring(of: ruleID) { self.takeReport() } }
    }

    /// What a snapshot keeps of a tally.
    struct Counts: Sendable {
        var counters = FaultCounters()
        var isReportPending = false
    }

    var counts: Counts { state.read { Counts(counters: $0.counters, isReportPending: $0.isReportPending) } }
    var counters: FaultCounters { state.read(\.counters) }

    func claim(_ rule: FaultRule, for facts: FaultFacts, seed: UInt64) -> FaultFiring? {
        count { state in
            let firing = state.counters.claim(rule, for: facts, seed: seed)
            // An action that waits for silence is counted when it takes place.
            return (firing, firing != nil && firing?.action.idleTime == nil)
        }
    }

    /// Decides as ``claim(_:for:seed:)`` will when the claims of all connections before this one have come in the order
    /// of a log.
    func claimAhead(_ rule: FaultRule, for facts: FaultFacts, seed: UInt64) -> FaultFiring? {
        state.change { state in
            var ahead = state.ahead ?? state.counters
            defer { state.ahead = ahead }
            return ahead.claim(rule, for: facts, seed: seed)
        }
    }

    /// Counts an action that has waited for silence; returns `false` if the rule is gone or has no firing left.
    func fire() -> Bool {
        count { state in
            let fires = !state.isOver && state.rule.isEnabled && state.counters.fire(state.rule)
            if fires { _ = state.ahead?.fire(state.rule) }
            return (fires, fires)
        }
    }

    private func count<Answer: Sendable>(_ body: (inout State) -> (answer: Answer, isFiring: Bool)) -> Answer {
        let (answer, needsReport) = state.change { state in
            let (answer, isFiring) = body(&state)
            let needsReport = isFiring && !state.isReportPending
            if isFiring { state.isReportPending = true }
            return (answer, needsReport)
        }
        if needsReport { events.recordFiring(of: ruleID) { self.takeReport() } }
        return answer
    }

    /// The rule with its counters, for an event about all firings until now; `nil` if it is gone.
    private func takeReport() -> JSONValue? {
        let report = state.change { state in
            state.isReportPending = false
            return state.isOver ? nil : (state.rule, state.counters)
        }
        return report.map { rule, counters in rule.json(counters) }
    }

    func adopt(_ rule: FaultRule) { state.change { $0.rule = rule } }
    func end() { state.change { $0.isOver = true } }
    /// Waits until the rule has fired `hits` times or is gone, or the task is cancelled.
    func wait(hits: Int) async { await state.wait { $0.isOver || $0.counters.fired >= hits } }
}

extension FaultTally.Counts: ByteRecord {
    static let members = ByteMembers(FaultTally.Counts.init) { ($0.counters, $0.isReportPending) }
}
