internal import APNsRules
internal import MynahCore
internal import Synchronization

/// What one fault rule has counted on all loops, and the tasks that wait for it to fire.
final class FaultTally: Sendable {
    private struct State {
        var rule: FaultRule
        var counters = FaultCounters()
        // Whether an event about a firing is requested, which will also cover all firings until then.
        var isReportPending = false
        // The numbers of firings that tasks wait for, by ticket.
        var waiters: [UInt64: (hits: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        // Whether the rule has been removed or replaced.
        var isOver = false

        /// Notes a firing; returns whether an event must be requested, and the tasks whose wait is over.
        mutating func noteFiring() -> (needsReport: Bool, due: [CheckedContinuation<Void, Never>]) {
            let needsReport = !isReportPending
            isReportPending = true
            guard !waiters.isEmpty else { return (needsReport, []) }
            let due = waiters.filter { $0.value.hits <= counters.fired }
            for ticket in due.keys { waiters[ticket] = nil }
            return (needsReport, due.values.map(\.continuation))
        }
    }

    /// The age of the rule in its set, by which it is told from another one with its id.
    let age: Int?
    private let ruleID: String
    private let events: EventLog
    private let state: Mutex<State>
    private let tickets = Atomic<UInt64>(0)

    init(_ rule: FaultRule, age: Int?, events: EventLog) {
        self.age = age
        self.ruleID = rule.id
        self.events = events
        self.state = Mutex(State(rule: rule))
    }

    var counters: FaultCounters { state.withLock { $0.counters } }

    /// Counts a request that matches; returns the firing if the rule acts on it.
    func claim(_ rule: FaultRule, for facts: FaultFacts, seed: UInt64) -> FaultFiring? {
        count { state in
            let firing = state.counters.claim(rule, for: facts, seed: seed)
            // An action that waits for silence is counted when it takes place.
            return (firing, firing != nil && firing?.action.idleTime == nil)
        }
    }

    /// Counts an action that has waited for silence; returns `false` if the rule is gone or has no firing left.
    func fire() -> Bool {
        count { state in
            let fires = !state.isOver && state.rule.isEnabled && state.counters.fire(state.rule)
            return (fires, fires)
        }
    }

    private func count<Answer: Sendable>(_ body: (inout State) -> (answer: Answer, isFiring: Bool)) -> Answer {
        let (answer, noted) = state.withLock { state in
            let (answer, isFiring) = body(&state)
            return (answer, isFiring ? state.noteFiring() : (needsReport: false, due: []))
        }
        for continuation in noted.due { continuation.resume() }
        if noted.needsReport { events.noteFiring(of: ruleID) { self.takeReport() } }
        return answer
    }

    /// The rule with its counters as the control API shows it, for an event about its firings; `nil` if it is gone.
    ///
    /// Later firings need another event.
    private func takeReport() -> JSONValue? {
        let report = state.withLock { state in
            state.isReportPending = false
            return state.isOver ? nil : (state.rule, state.counters)
        }
        return report.map { rule, counters in rule.json(counters) }
    }

    /// Goes on counting for a changed rule.
    func adopt(_ rule: FaultRule) { state.withLock { $0.rule = rule } }

    /// Resumes all tasks that wait, because the rule is gone.
    func end() {
        let due = state.withLock { state in
            state.isOver = true
            defer { state.waiters.removeAll() }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until the rule has fired `hits` times or is gone, or the task is cancelled.
    func wait(hits: Int) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await suspend { continuation in
            state.withLock { state in
                guard !Task.isCancelled, !state.isOver, state.counters.fired < hits else { return false }
                state.waiters[ticket] = (hits, continuation)
                return true
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket)?.continuation }
        }
    }
}
