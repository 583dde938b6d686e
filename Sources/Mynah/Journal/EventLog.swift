package import APNsRules
package import MynahCore
internal import NIOCore
internal import Synchronization

/// An event to note, other than of a push (`Documents#Event-stream`).
package struct NewEvent: Sendable {
    let kind: Event.Kind
    let document: JSONValue

    /// A change of a device, as `GET /v1/devices/{id}` answers it, or last answered it if it was removed.
    package static func device(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.device, json, as: change) }
    /// A channel that was created or removed, as `GET /v1/channels/{id}` answers it, or last answered it.
    package static func channel(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.channel, json, as: change) }
    /// A change of a fault rule, as `GET /v1/faults/{id}` answers it; see ``EventLog/noteFiring(of:_:)`` for firings.
    package static func fault(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.fault, json, as: change) }
    /// A change of `GET /v1/connections/{id}`, or a failed handshake of `GET /v1/failed-handshakes`.
    package static func connection(_ json: JSONValue, _ change: Event.Change) -> Self {
        Self(.connection, json, as: change)
    }

    package static func clock(_ mode: ClockState.Mode, now: Instant, scope: String?) -> Self {
        Self(.clock, ["mode": .string(mode.rawValue), "now": .string(now.rfc3339), "scope": .text(scope)])
    }

    package static func reset(removed: JSONValue, only: [String], scope: String?) -> Self {
        Self(.reset, ["removed": removed, "only": .texts(only), "scope": .text(scope)])
    }

    private init(_ kind: Event.Kind, _ document: JSONValue, as change: Event.Change? = nil) {
        guard case .object(let members) = document else {
            preconditionFailure("an event shows an object, not \(document.kind)")
        }
        self.kind = kind
        self.document = change.map { .object(members + [JSONMember("change", .string($0.rawValue))]) } ?? document
    }
}

/// The newest events of a server that are not pushes, in numbers of the same sequence as those of pushes.
///
/// A number is taken and its event stored under one lock, and only then the journal learns that the number belongs to
/// no push: a reader that reads the journal's watermark first finds all events up to it here. No push waits for this.
package final class EventLog: Sendable {
    /// The least time between two events about one rule's firings.
    static let firingInterval: Duration = .milliseconds(100)
    /// The changes of Live Activities that are noted at once.
    private static let activityPieceCount = 256

    private struct State {
        var history = EventHistory()
        var throttle = ReportThrottle()
        // The events that are noted at the end of their interval, by their keys.
        var pending: [String: Pending] = [:]
        var loop: (any EventLoop)?
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Pending { let make: @Sendable () -> NewEvent? }

    private let state = Mutex(State())
    private let journal: JournalStore
    private let now: @Sendable () -> Instant

    init(journal: JournalStore, now: @escaping @Sendable () -> Instant) { (self.journal, self.now) = (journal, now) }

    /// Notes pending events when their interval ends, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) { state.withLock { $0.loop = loop } }
    func end() { state.withLock { $0.loop = nil } }

    package func note(_ event: NewEvent) { append(event.kind, [.document(event.document.encoded)]) }
    func note(outcomes entries: [Entry]) { append(.outcome, entries.map { .push($0) }) }
    /// Notes what time has done to Live Activities, in pieces, so that no push waits long for the journal's lock.
    func note(activities changes: [ActivityChange]) {
        for start in stride(from: 0, to: changes.count, by: EventLog.activityPieceCount) {
            append(.activity, changes[start...].prefix(EventLog.activityPieceCount).map { .activity($0) })
        }
    }

    /// Notes that a fault rule acted; may be called for each firing, because it is throttled; `describe` returns the
    /// rule with its counters when the event is made; `nil`, for a removed rule, is no event.
    package func noteFiring(of rule: String, _ describe: @escaping @Sendable () -> JSONValue?) {
        noteThrottled(rule, interval: EventLog.firingInterval) { describe().map { .fault($0, .fired) } }
    }

    /// Notes what may happen very often: the first within an interval at once, all others as one event at its end,
    /// which the newest `make` makes; calls with the same key have the same interval.
    func noteThrottled(_ key: String, interval: Duration, _ make: @escaping @Sendable () -> NewEvent?) {
        let wall = WallClock.now()
        let advice = state.withLock { state in
            let advice = state.throttle.note(key, at: wall, interval: interval)
            if case .reportLater(let rest) = advice { notePending(after: rest, &state) }
            if advice != .report { state.pending[key] = Pending(make: make) }
            return advice
        }
        if advice == .report, let event = make() { note(event) }
    }

    private func notePending(after rest: Duration, _ state: inout State) {
        // In a task, not on the loop, which also answers pushes: thousands of rules must not delay them.
        state.loop?.scheduleTask(in: TimeAmount(rest)) { [weak self] in Task { self?.notePending() } }
    }

    private func notePending() {
        let wall = WallClock.now()
        let pending = state.withLock { state in
            let (due, next) = state.throttle.takeDue(at: wall)
            if let next { notePending(after: next, &state) }
            return due.compactMap { $0.key.flatMap { state.pending.removeValue(forKey: $0) } }
        }
        for event in pending.lazy.compactMap({ $0.make() }) { note(event) }
    }

    /// Removes the events about pushes that were removed from the journal.
    func forgetOutcomes(where isGone: (Entry) -> Bool) { state.withLock { $0.history.forgetPushes(where: isGone) } }

    private func append(_ kind: Event.Kind, _ subjects: [Event.Subject]) {
        let now = now()
        let numbers = state.withLock { state in
            subjects.map { subject in
                let number = journal.takeSequence()
                state.history.append(Event(kind, sequence: number, at: subject.happenedAt ?? now, subject))
                return number
            }
        }
        journal.skip(numbers)
    }

    /// Up to `limit` events, oldest first, and the highest number that was evicted.
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
