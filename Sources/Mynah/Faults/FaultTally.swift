internal import APNsRules
internal import MynahCore
internal import Synchronization

/// What one fault rule has counted, for all loops, and whoever waits for it to fire or is told that it has.
final class FaultTally: Sendable {
    private struct State {
        // As it was changed last.
        var rule: FaultRule
        var counters = FaultCounters()
        // Whether somebody is about to tell of a firing, and so of all until then.
        var isBeingTold = false
        // The firings that somebody waits for, by ticket.
        var waiters: [UInt64: (hits: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        // No request will be put to the rule any more.
        var isOver = false
    }

    private let state: Mutex<State>
    private let tickets = Atomic<UInt64>(0)

    init(_ rule: FaultRule) {
        self.state = Mutex(State(rule: rule))
    }

    /// What was counted.
    var counters: FaultCounters { state.withLock { $0.counters } }

    /// Counts a request that matches, and says whether the rule acts on it; wakes who waits for that.
    ///
    /// Where the firing `isToBeTold`, the caller sees to it that ``takeTold()`` is called; further firings until then
    /// are told by that.
    func claim(
        _ rule: FaultRule, for facts: FaultFacts, seed: UInt64
    ) -> (firing: FaultFiring, isToBeTold: Bool)? {
        let (claimed, due) = state.withLock { state in
            guard let firing = state.counters.claim(rule, for: facts, seed: seed) else {
                return (nil as (firing: FaultFiring, isToBeTold: Bool)?, FaultTally.none)
            }
            if firing.action.idleTime != nil { return ((firing, false), FaultTally.none) }
            let (isToBeTold, due) = FaultTally.noteFiring(&state)
            return ((firing, isToBeTold), due)
        }
        for continuation in due { continuation.resume() }
        return claimed
    }

    /// Counts an action that has waited for silence; `nil` when the rule is gone, or has no firing left.
    func fire() -> (ruleID: String, isToBeTold: Bool)? {
        let (fired, due) = state.withLock { state in
            guard !state.isOver, state.rule.isEnabled, state.counters.fire(state.rule) else {
                return (nil as (ruleID: String, isToBeTold: Bool)?, FaultTally.none)
            }
            let (isToBeTold, due) = FaultTally.noteFiring(&state)
            return ((state.rule.id, isToBeTold), due)
        }
        for continuation in due { continuation.resume() }
        return fired
    }

    private static func noteFiring(
        _ state: inout State
    ) -> (isToBeTold: Bool, due: [CheckedContinuation<Void, Never>]) {
        let isToBeTold = !state.isBeingTold
        state.isBeingTold = true
        return (isToBeTold, state.waiters.isEmpty ? none : takeDue(&state))
    }

    /// The rule with its counters, as the control API shows it, for an event about its firings; `nil` when it is gone.
    ///
    /// What fires from here on is told by another event.
    func takeTold() -> JSONValue? {
        let told = state.withLock { state in
            state.isBeingTold = false
            return state.isOver ? nil : (state.rule, state.counters)
        }
        return told.map { rule, counters in rule.json(counters) }
    }

    /// Changes the rule, whose counters go on.
    func adopt(_ rule: FaultRule) { state.withLock { $0.rule = rule } }

    /// Wakes all who wait: the rule is gone.
    func end() {
        let due = state.withLock { state in
            state.isOver = true
            defer { state.waiters.removeAll() }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until the rule has fired so often, or is gone, or the task is cancelled.
    func wait(hits: Int) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // A cancellation from here on finds the ticket, since it needs this lock to look.
                    guard !Task.isCancelled, !state.isOver, state.counters.fired < hits else { return false }
                    state.waiters[ticket] = (hits, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.continuation.resume()
        }
    }

    private static let none: [CheckedContinuation<Void, Never>] = []

    private static func takeDue(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let fired = state.counters.fired
        let due = state.waiters.filter { $0.value.hits <= fired }
        for ticket in due.keys { state.waiters[ticket] = nil }
        return due.values.map(\.continuation)
    }
}
