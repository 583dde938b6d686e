package import MynahCore
internal import Synchronization

/// The server's journal: any loop appends, any task reads and waits.
///
/// One short lock around the value; payloads are shared storage, so a reader's copy is cheap and it filters
/// and encodes outside. Sequence numbers are taken before, from an atomic, inside the device shard's lock:
/// per-device order and global order agree although the two locks are never held together. A second lock, outside the
/// first, orders what becomes of pushes after they were appended: changes are reported, and removed pushes forgotten, in
/// the order in which that happened.
package final class JournalStore: Sendable {
    private struct State {
        var journal: Journal
        // What became of pushes after they were in.
        var laterOutcomes = AnswerCounts()
        var continuations: [Waiter.ID: CheckedContinuation<Void, Never>] = [:]
        // Which waiter a task has, so that its cancellation finds it.
        var waiterOfTicket: [UInt64: Waiter.ID] = [:]
    }

    // In a struct: a closure that is itself the value of a `Mutex` is wrapped once more by each access.
    private struct Listeners {
        var settle: (@Sendable () -> Void)?
        var outcomes: (@Sendable ([Entry]) -> Void)?
    }

    private let state: Mutex<State>
    // Held from a change of pushes until it is an event, so that a removal follows the changes before it there too.
    private let changes = Mutex(())
    private let listeners = Mutex(Listeners())
    private let issued = Atomic<UInt64>(0)
    private let tickets = Atomic<UInt64>(0)
    private let onFirstEviction: @Sendable (JournalCounters) -> Void

    /// An empty journal.
    ///
    /// `onFirstEviction` is called once, outside the lock, when entries begin to be evicted.
    init(bounds: JournalBounds, onFirstEviction: @escaping @Sendable (JournalCounters) -> Void) {
        self.state = Mutex(State(journal: Journal(bounds: bounds)))
        self.onFirstEviction = onFirstEviction
    }

    // MARK: The push path

    /// The next sequence number.
    ///
    /// Whoever takes one appends an entry with it right after, or skips it.
    func takeSequence() -> UInt64 {
        issued.add(1, ordering: .relaxed).newValue
    }

    /// Takes an entry in, and wakes those who wait for it.
    func append(_ entry: consuming Entry) {
        let entry = entry
        let (continuations, counters) = state.withLock { state in
            let appended = state.journal.append(entry)
            return (
                JournalStore.take(appended.due, &state), appended.isFirstEviction ? state.journal.counters : nil
            )
        }
        for continuation in continuations { continuation.resume() }
        if let counters { onFirstEviction(counters) }
    }

    /// Notes what became of earlier pushes, wakes those who wait for it, and reports it to the listener.
    func apply(_ changes: [EntryChange]) {
        guard !changes.isEmpty else { return }
        change { state, changed in
            for change in changes where !change.isOnlyShown { state.laterOutcomes.count(change.outcome) }
            return state.journal.apply(changes) { changed.append($0) }
        }
    }

    /// Gives up numbers that were taken and are not those of pushes.
    func skip(_ sequences: some Collection<UInt64> & Sendable) {
        let continuations = state.withLock { state in
            var due: [Waiter.ID] = []
            for sequence in sequences { due += state.journal.skip(sequence) }
            return JournalStore.take(due, &state)
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Calls `listener` with the entries that ``apply(_:)`` or ``note(_:of:)`` changed, outside the lock.
    func onOutcomes(_ listener: @escaping @Sendable ([Entry]) -> Void) {
        listeners.withLock { $0.outcomes = listener }
    }

    private func report(_ changed: [Entry]) {
        guard !changed.isEmpty else { return }
        listeners.withLock { $0 }.outcomes?(changed)
    }

    /// Notes the answer to a push that is in the journal already, wakes those who wait for it, and reports it to the
    /// listener.
    func note(_ answer: LateAnswer, of sequence: UInt64) {
        change { state, changed in
            let due = state.journal.update(sequence) { entry in
                entry.note(answer)
                changed.append(entry)
            }
            if due == nil, let status = answer.status { state.journal.countLateAnswer(status) }
            return due ?? []
        }
    }

    /// Changes pushes, resumes the waiters that are due, and reports the entries that `body` appends.
    private func change(_ body: (inout State, inout [Entry]) -> [Waiter.ID]) {
        changes.withLock { _ in
            let (continuations, changed) = state.withLock { state in
                var changed: [Entry] = []
                let due = body(&state, &changed)
                return (JournalStore.take(due, &state), changed)
            }
            for continuation in continuations { continuation.resume() }
            report(changed)
        }
    }

    // MARK: Reading and changing

    /// What became of pushes after they were taken in; a reset leaves it alone.
    var laterOutcomes: AnswerCounts { state.withLock { $0.laterOutcomes } }

    /// The last sequence number that was given out.
    package var lastIssued: UInt64 { issued.load(ordering: .relaxed) }

    /// Reads the journal under its lock; `body` copies what it needs and returns.
    package func read<Result: Sendable>(_ body: (borrowing Journal) -> Result) -> Result {
        state.withLock { body($0.journal) }
    }

    /// Calls `body` at the beginning of each ``settled()``, to bring in what has fallen due.
    func onSettle(_ body: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.settle = body }
    }

    /// Waits until every push that has taken a number by now is in the journal, with what became of it by now, and
    /// answers the last of them.
    ///
    /// An entry follows its number within microseconds, on another loop; a reader that did not wait could miss a push
    /// whose reply has left while an older one is still to come.
    package func settled() async -> UInt64 {
        listeners.withLock { $0 }.settle?()
        let last = lastIssued
        await wait(.watermark(atLeast: last))
        _ = findRepeats()
        return last
    }

    /// Finds of all pushes that have arrived which earlier one each repeats; answers the last of them.
    ///
    /// ``settled()`` does so too: it is asked for before entries are read, and finds only what no reader has asked for
    /// before.
    package func findRepeats() -> UInt64 {
        while true {
            let (isDone, last) = state.withLock { state in
                (state.journal.findRepeats(countMax: JournalStore.repeatCountMax), state.journal.watermark)
            }
            if isDone { return last }
        }
    }

    // Entries whose bodies are hashed under one lock, which a push may have to wait for.
    private static let repeatCountMax = 256

    /// Removes entries by their numbers; answers how many were there.
    ///
    /// - Parameter forget: Removes the events about them: called when every change of them has been reported.
    package func remove(_ sequences: [UInt64], forget: () -> Void = {}) -> Int {
        remove(forget) { $0.remove(sequences) }
    }

    /// Removes everything and counts from zero; numbers go on.
    ///
    /// Answers how many entries there were; `forget` as for ``remove(_:forget:)``.
    package func reset(forget: () -> Void = {}) -> Int {
        remove(forget) { $0.reset() }
    }

    private func remove(
        _ forget: () -> Void, _ body: (inout Journal) -> (removed: Int, due: [Waiter.ID])
    ) -> Int {
        changes.withLock { _ in
            let (removed, continuations) = state.withLock { state in
                let (removed, due) = body(&state.journal)
                return (removed, JournalStore.take(due, &state))
            }
            forget()
            for continuation in continuations { continuation.resume() }
            return removed
        }
    }

    // MARK: Waiting

    /// Waits until the condition holds, or the task is cancelled.
    package func wait(_ condition: Waiter.Condition) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // A cancellation from here on finds the ticket, since it needs this lock to look.
                    guard !Task.isCancelled, let id = state.journal.register(condition) else { return false }
                    state.continuations[id] = continuation
                    state.waiterOfTicket[ticket] = id
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let id = state.waiterOfTicket[ticket] else { return nil }
                state.journal.cancel(id)
                return state.continuations.removeValue(forKey: id)
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.waiterOfTicket.removeValue(forKey: ticket) }
    }

    /// Waits until the condition holds; `false` when `deadline` comes first or the task is cancelled.
    package func wait(_ condition: Waiter.Condition, until deadline: ContinuousClock.Instant) async -> Bool {
        await happens(before: deadline) { await self.wait(condition) }
    }

    private static func take(
        _ due: [Waiter.ID], _ state: inout State
    ) -> [CheckedContinuation<Void, Never>] {
        guard !due.isEmpty else { return [] }
        return due.compactMap { state.continuations.removeValue(forKey: $0) }
    }
}
