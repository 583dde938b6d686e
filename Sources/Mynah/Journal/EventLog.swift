package import APNsRules
package import MynahCore
internal import NIOCore
internal import Synchronization

/// What happens on a server beside its pushes, for whoever watches it: the newest of it, in numbers of the same
/// sequence as those of pushes.
///
/// Watching changes nothing: everything is noted whether or not somebody reads it. A number is taken and its event put
/// in its place under one lock, and only then the journal hears that the number is none of a push's; who reads the
/// journal's watermark first finds all events up to it here. No push waits for any of this.
package final class EventLog: Sendable {
    private struct State {
        var history: EventHistory
        var pace = FiringPace()
        // The occurrences that are reported at the end of their interval, by their keys.
        var pending: [String: Pending] = [:]
        var loop: (any EventLoop)?
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Pending {
        let describe: @Sendable () -> Occurrence?
    }

    private let state: Mutex<State>
    private let journal: JournalStore
    private let now: @Sendable () -> Instant

    /// No events; `now` is the server's clock.
    init(
        journal: JournalStore, bounds: EventHistory.Bounds = EventHistory.Bounds(),
        now: @escaping @Sendable () -> Instant
    ) {
        self.journal = journal
        self.now = now
        self.state = Mutex(State(history: EventHistory(bounds: bounds)))
    }

    /// Reports firings that are pending when their interval ends, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) { state.withLock { $0.loop = loop } }

    /// Stops reporting pending firings.
    func end() { state.withLock { $0.loop = nil } }

    // MARK: Noting

    /// Notes something that happened.
    package func note(_ occurrence: Occurrence) {
        append(occurrence.kind, [.document(occurrence.document.encoded)])
    }

    /// Notes what became of earlier pushes.
    func note(outcomes entries: [Entry]) {
        append(.outcome, entries.map { .push($0) })
    }

    /// Notes that a fault rule acted.
    ///
    /// May be called on the push path, for each firing: the first within ``FiringPace/interval`` is an event at once,
    /// all others together one at its end. Costs one short lock when there is nothing to tell.
    /// - Parameters:
    ///   - rule: Its id.
    ///   - describe: The rule with its counters, as `GET /v1/faults/{id}` answers it, called when the event is made;
    ///     `nil` when the rule has been removed, and then there is no event.
    package func noteFiring(of rule: String, _ describe: @escaping @Sendable () -> JSONValue?) {
        notePaced(rule, interval: FiringPace.interval) { describe().map { Occurrence.fault($0, .fired) } }
    }

    /// Notes something that may happen very often: the first occurrence of a key within an interval at once, all others
    /// together as one event at its end.
    ///
    /// - Parameters:
    ///   - key: What the occurrences have in common.
    ///   - interval: The least time between two events of the key, the same for each call with this key.
    ///   - describe: The occurrence, called when the event is made; `nil`: there is none.
    func notePaced(_ key: String, interval: Duration, _ describe: @escaping @Sendable () -> Occurrence?) {
        let wall = WallClock.now()
        let advice = state.withLock { state in
            let advice = state.pace.fired(key, at: wall, interval: interval)
            switch advice {
            case .tell: break
            case .tellLater(let rest):
                state.pending[key] = Pending(describe: describe)
                reportPending(after: rest, &state)
            // The newest description counts: another rule may have taken the place of the one before.
            case .isToldAnyway: state.pending[key] = Pending(describe: describe)
            }
            return advice
        }
        if advice == .tell, let occurrence = describe() { note(occurrence) }
    }

    private func reportPending(after rest: Duration, _ state: inout State) {
        // The loop only waits: it also answers pushes, which thousands of rules must not hold up.
        state.loop?.scheduleTask(in: TimeAmount(rest)) { [weak self] in
            guard let self else { return }
            Task { self.reportPending() }
        }
    }

    private func reportPending() {
        let wall = WallClock.now()
        let due = state.withLock { state in
            let (keys, next) = state.pace.takeDue(at: wall)
            if let next { reportPending(after: next, &state) }
            return keys.compactMap { state.pending.removeValue(forKey: $0) }
        }
        for pending in due {
            if let occurrence = pending.describe() { note(occurrence) }
        }
    }

    /// Removes the events that show certain pushes: those that were removed from the journal.
    func forgetOutcomes(where isGone: (Entry) -> Bool) { state.withLock { $0.history.forgetPushes(where: isGone) } }

    private func append(_ kind: Event.Kind, _ subjects: [Event.Subject]) {
        let now = now()
        let numbers = state.withLock { state in
            subjects.map { subject in
                let number = journal.takeSequence()
                state.history.append(Event(kind, sequence: number, at: now, subject))
                return number
            }
        }
        journal.skip(numbers)
    }

    // MARK: Reading

    /// Up to `limit` events after one number and up to another, oldest first, and the highest number that went to make
    /// room.
    package func events(
        after sequence: UInt64, through last: UInt64, limit: Int
    ) -> (events: [Event], evictedThrough: UInt64) {
        let (events, evictedThrough) = state.withLock { state in
            (state.history.events(after: sequence, through: last, limit: limit), state.history.evictedThrough)
        }
        return (journal.read { journal in events.map { EventLog.current($0, journal) } }, evictedThrough)
    }

    // The repeats of a push are found when it is read, which may be after the event was noted.
    private static func current(_ event: Event, _ journal: borrowing Journal) -> Event {
        guard case .push(var entry) = event.subject, let repeats = journal.repeats(entry.sequence) else { return event }
        entry.repeats = repeats
        return Event(event.kind, sequence: event.sequence, at: event.at, .push(entry))
    }
}
