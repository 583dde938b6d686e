internal import APNsRules
package import MynahCore
internal import MynahSystem
internal import Synchronization

/// The server's journal: any loop appends, any task reads and waits.
///
/// Sequence numbers are taken before, from an atomic, inside the device shard's lock: per-device order and global order
/// agree although the two locks are never held together. A second lock, outside the first, orders later changes: they
/// are reported, and removed pushes forgotten, in the order in which they were made.
package final class JournalStore: Sendable {
    private struct State {
        var journal: Journal
        // Outcomes after the push was appended.
        var laterOutcomes = AnswerCounts()
        var continuations: [Waiter.ID: CheckedContinuation<Void, Never>] = [:]
        // The waiter of each task, so that its cancellation finds it.
        var waiterOfTicket: [UInt64: Waiter.ID] = [:]
        var evictedMemory: EvictedMemory

        mutating func takeContinuations(of due: [Waiter.ID]) -> [CheckedContinuation<Void, Never>] {
            due.isEmpty ? [] : due.compactMap { continuations.removeValue(forKey: $0) }
        }
    }

    // In a struct: a closure that is itself the value of a `Mutex` is wrapped once more by each access.
    private struct Listeners {
        var settle: (@Sendable () async -> Void)?
        var outcomes: (@Sendable ([Entry]) -> Void)?
    }

    private let state: Mutex<State>
    // Held from a change of pushes until its event is recorded, so that a removal also follows earlier changes there.
    private let changes = Mutex(())
    private let listeners = Mutex(Listeners())
    private let issued = Atomic<UInt64>(0)
    private let tickets = Atomic<UInt64>(0)
    /// How many entries were looked at by reads in pieces, from which tests see how much work a question is.
    let lookedAt = Atomic<Int>(0)
    private let onFirstEviction: @Sendable (JournalCounters) -> Void
    private let wake: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// `onFirstEviction` is called outside the lock when entries begin to be evicted, once until the next reset; `wake`
    /// calls what resumes the tasks that waited for a push, now or soon.
    init(
        bounds: JournalBounds, onFirstEviction: @escaping @Sendable (JournalCounters) -> Void,
        wake: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = AfterAnswers.run
    ) {
        self.state = Mutex(State(journal: Journal(bounds: bounds), evictedMemory: EvictedMemory(bounds)))
        self.onFirstEviction = onFirstEviction
        self.wake = wake
    }

    // MARK: The push path

    /// Takes the next sequence number, which is to be appended or skipped right after.
    func takeSequence() -> UInt64 { issued.add(1, ordering: .relaxed).newValue }

    func append(_ entry: consuming Entry) {
        // A closure can move what it captures only out of an optional; a copy of an entry costs 300 instructions.
        var arriving: Entry? = consume entry
        let (continuations, isFirstEviction, isLookDue) = state.withLock { state in
            guard let entry = arriving.take() else { preconditionFailure("an entry was appended twice") }
            let appended = state.journal.append(consume entry)
            let isLookDue = state.evictedMemory.isLookDue(
                evicted: state.journal.counters.evicted, size: state.journal.counters.size)
            return (state.takeContinuations(of: appended.due), appended.isFirstEviction, isLookDue)
        }
        if !continuations.isEmpty { wake { for continuation in continuations { continuation.resume() } } }
        if isFirstEviction { onFirstEviction(read { $0.counters }) }
        if isLookDue { Task.detached(priority: .background) { self.giveBackMemoryIfGrown() } }
    }

    private func giveBackMemoryIfGrown() {
        guard let resident = residentByteCount(), state.withLock({ $0.evictedMemory.isTooMuch(resident) })
        else { return }
        FreedMemory.giveBackNow()
        guard let left = residentByteCount() else { return }
        state.withLock { $0.evictedMemory.gaveBack(leaving: left) }
    }

    func skip(_ sequences: some Collection<UInt64> & Sendable) {
        let continuations = state.withLock { state in
            var due: [Waiter.ID] = []
            for sequence in sequences { due += state.journal.skip(sequence) }
            return state.takeContinuations(of: due)
        }
        for continuation in continuations { continuation.resume() }
    }

    // MARK: Changing

    /// Calls `listener` with the entries that ``apply(_:)`` or ``recordAnswer(_:of:)`` changed, outside the lock.
    func onOutcomes(_ listener: @escaping @Sendable ([Entry]) -> Void) { listeners.withLock { $0.outcomes = listener } }

    /// Applies later changes of pushes, and reports them to the listener.
    func apply(_ changes: [EntryChange]) {
        guard !changes.isEmpty else { return }
        change { state in
            for change in changes where !change.isOnlyShown { state.laterOutcomes.count(change) }
            var changed: [Entry] = []
            let due = state.journal.apply(changes) { changed.append($0) }
            return (changed, due)
        } then: {
            report($0)
        }
    }

    /// Records the answer to a push that is already in the journal, and reports it to the listener.
    func recordAnswer(_ answer: LateAnswer, of sequence: UInt64) {
        change { state in
            var changed: [Entry] = []
            let due = state.journal.update(sequence) { entry in
                entry.recordAnswer(answer)
                changed.append(entry)
            }
            if due == nil, let status = answer.status { state.journal.countLateAnswer(status, to: sequence) }
            return (changed, due ?? [])
        } then: {
            report($0)
        }
    }

    private func report(_ changed: [Entry]) {
        guard !changed.isEmpty else { return }
        listeners.withLock { $0 }.outcomes?(changed)
    }

    /// Removes entries, returns how many, and calls `forget` to remove their events once all changes are reported.
    package func remove(_ sequences: [UInt64], forget: () -> Void = {}) -> Int {
        change({ $0.journal.remove(sequences) }, then: { _ in forget() })
    }

    /// Removes everything and counts from zero, but keeps numbering; returns how many entries there were.
    package func reset(forget: () -> Void = {}) -> Int { change({ $0.journal.reset() }, then: { _ in forget() }) }

    /// Changes the journal, calls `report` outside its lock, and resumes the tasks whose wait is over.
    @discardableResult
    private func change<Answer: Sendable>(
        _ body: (inout State) -> (Answer, [Waiter.ID]), then report: (Answer) -> Void
    ) -> Answer {
        changes.withLock { _ in
            let (answer, continuations) = state.withLock { state in
                let (answer, due) = body(&state)
                return (answer, state.takeContinuations(of: due))
            }
            report(answer)
            for continuation in continuations { continuation.resume() }
            return answer
        }
    }

    /// Wakes all tasks that wait for a change, so that they see that the server has ended.
    func wakeWaitersAtEnd() { change({ ((), $0.journal.waitersAtEnd()) }, then: { _ in }) }

    // MARK: Reading

    /// Outcomes after the push was appended; a reset does not change them.
    var laterOutcomes: AnswerCounts {
        get { state.withLock { $0.laterOutcomes } }
        set { state.withLock { $0.laterOutcomes = newValue } }
    }
    var bounds: JournalBounds { state.withLock { $0.journal.bounds } }
    package var lastIssued: UInt64 { issued.load(ordering: .relaxed) }

    package func read<Result: Sendable>(_ body: (borrowing Journal) -> Result) -> Result {
        state.withLock { body($0.journal) }
    }

    /// Goes on with a journal after a restart; pushes whose numbers were given out up to `lastIssued` and are not in it
    /// will not come.
    func restore(_ journal: Journal, lastIssued: UInt64) {
        var journal = journal
        journal.skipMissing(through: lastIssued)
        state.withLock { $0.journal = journal }
        issued.store(lastIssued, ordering: .relaxed)
    }

    /// Calls `body` at the start of each ``settled()``, to process what is due.
    func onSettle(_ body: @escaping @Sendable () async -> Void) { listeners.withLock { $0.settle = body } }

    /// Waits until every push with a number is in the journal with its present outcome, and returns the last number: an
    /// entry follows its number within microseconds, on another loop; without waiting, a reader could miss a push whose
    /// reply has left because an older one is still to come.
    package func settled() async -> UInt64 {
        await listeners.withLock { $0 }.settle?()
        let last = lastIssued
        await wait(.watermark(atLeast: last))
        _ = findRepeats()
        return last
    }

    /// Waits, without giving up the thread, until every push with a number is in the journal: microseconds, as another
    /// loop that has taken one appends it next.
    func waitUntilAppended() {
        let last = lastIssued
        while state.withLock({ $0.journal.watermark }) < last { sched_yield() }
    }

    /// Finds which earlier push each push repeats, as ``settled()`` does too; returns the last number.
    package func findRepeats() -> UInt64 {
        while true {
            let (isDone, last) = state.withLock { state in
                (state.journal.findRepeats(countMax: JournalStore.repeatCountMax), state.journal.watermark)
            }
            if isDone { return last }
        }
    }

    // The entries whose bodies are hashed under one lock, which a push may have to wait for.
    private static let repeatCountMax = 256

    // MARK: Waiting

    var waiterCount: Int { state.withLock { $0.continuations.count } }

    /// Waits until the condition holds, or the task is cancelled.
    package func wait(_ condition: Waiter.Condition) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await suspend { continuation in
            state.withLock { state in
                guard !Task.isCancelled, let id = state.journal.register(condition) else { return false }
                state.continuations[id] = continuation
                state.waiterOfTicket[ticket] = id
                return true
            }
        } onCancel: {
            state.withLock { state in
                guard let id = state.waiterOfTicket[ticket] else { return nil }
                state.journal.cancel(id)
                return state.continuations.removeValue(forKey: id)
            }
        }
        state.withLock { _ = $0.waiterOfTicket.removeValue(forKey: ticket) }
    }

    /// Waits until the condition holds; returns `false` if `deadline` comes first or the task is cancelled.
    package func wait(_ condition: Waiter.Condition, until deadline: ContinuousClock.Instant) async -> Bool {
        await finishes(before: deadline) { await self.wait(condition) }
    }
}

/// An answer to a push after it was written to the journal, or the fact that there will be none
/// (`ControlAPI#Guarantees`, 1).
struct LateAnswer: Sendable {
    let at: Instant
    /// `nil` if nothing was answered.
    let status: Int?
    /// Why APNs' rules refused the push.
    var refusal: Refusal?
    /// The reason that a fault answered the push with.
    var reason: FaultReason?
    /// `nil` if the device, which has the push already, decides it.
    let outcome: Outcome?
    var decision: Decision?
    /// Whether the push that is answered is a broadcast.
    var isOfBroadcast = false
    /// How many devices a broadcast was delivered to.
    var deviceCount = 0
    /// What is known of a web push now.
    var webPush: WebPushRecord?
}

extension Entry {
    mutating func recordAnswer(_ answer: LateAnswer) {
        status = answer.status.map(Int16.init)
        if let refusal = answer.refusal { recordRefusal(refusal) }
        if let reason = answer.reason { recordReason(reason) }
        if let webPush = answer.webPush { web = webPush }
        if answer.deviceCount > 0 { broadcast?.deviceCount += answer.deviceCount }
        if let outcome = answer.outcome { recordOutcome(outcome, answer.decision, at: answer.at) }
    }
}
