package import APNsRules
package import MynahCore
internal import Synchronization

/// An event to note, other than of a push (`Documents#Event-stream`).
package struct NewEvent: Sendable {
    let kind: Event.Kind
    let document: JSONValue

    /// A change of a device, as `GET /v1/devices/{id}` answers it, or last answered it if it was removed.
    package static func device(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.device, json, as: change) }
    /// A channel that was created or removed, as `GET /v1/channels/{id}` answers it, or last answered it.
    package static func channel(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.channel, json, as: change) }
    /// A change of a fault rule, as `GET /v1/faults/{id}` answers it, but without its words; see
    /// ``EventLog/recordFiring(of:_:)`` for firings.
    package static func fault(_ json: JSONValue, _ change: Event.Change) -> Self { Self(.fault, json, as: change) }
    /// A change of `GET /v1/connections/{id}`, or a failed handshake of `GET /v1/failed-handshakes`.
    package static func connection(_ json: JSONValue, _ change: Event.Change) -> Self {
        Self(.connection, json, as: change)
    }

    package static func clock(_ mode: ClockState.Mode, now: Instant, scope: String?) -> Self {
        Self(.clock, ClockEvent(reading: ClockReading(mode: mode, now: now), scope: scope).json)
    }

    package static func reset(removed: JSONValue, only: [String], scope: String?) -> Self {
        Self(.reset, ResetEvent(removed: RemovedCounts(removed), only: only, scope: scope).json)
    }

    private init(_ kind: Event.Kind, _ document: JSONValue, as change: Event.Change? = nil) {
        guard case .object(let members) = document else {
            preconditionFailure("an event shows an object, not \(document.kind)")
        }
        self.kind = kind
        self.document = change.map { .object(members + [JSONMember("change", .string($0.rawValue))]) } ?? document
    }
}

/// The newest events of a server that are not pushes; their numbers are of the same sequence as the numbers of pushes.
///
/// A number is taken and its event stored under one lock, and only then the journal learns that the number belongs to
/// no push: a reader that reads the journal's watermark first finds all events up to it here. No push waits for this.
package final class EventLog: Sendable {
    /// The least time between two events about one rule's firings.
    static let firingInterval: Duration = .milliseconds(100)
    /// The least time between two events about handshakes that failed for one cause.
    static let failureInterval: Duration = .seconds(1)
    /// The changes of Live Activities that are noted at once.
    private static let activityPieceCount = 256

    private struct State {
        var history = EventHistory()
        var throttle = ReportThrottle()
        // The events that are noted at the end of their interval, by their keys.
        var pending: [String: Pending] = [:]
        var timer: Timer?
    }

    // Structs, because a closure in generic storage is wrapped at each access.
    private struct Timer { let scheduleLook: @Sendable (Duration) -> Void }

    private struct Pending {
        /// The document of a failed handshake; what an event tells of a rule is found when the event is made.
        var handshake: JSONValue?
        let make: @Sendable () -> NewEvent?

        init(firing describe: @escaping @Sendable () -> JSONValue?) {
            make = { describe().map { .fault($0, .fired) } }
        }

        init(handshake: JSONValue) {
            self.handshake = handshake
            make = { .connection(handshake, .failed) }
        }
    }

    private let state = Mutex(State())
    private let journal: JournalStore
    private let wall: Wall
    private let now: @Sendable () -> Instant

    init(journal: JournalStore, wall: Wall = Wall(), now: @escaping @Sendable () -> Instant) {
        self.journal = journal
        self.wall = wall
        self.now = now
    }

    /// Calls `scheduleLook` with the time until ``recordPending()`` has something to note, until ``end()``.
    func begin(scheduleLook: @escaping @Sendable (Duration) -> Void) {
        state.withLock { $0.timer = Timer(scheduleLook: scheduleLook) }
    }

    func end() { state.withLock { $0.timer = nil } }

    /// Records a change of a connection, or a failed handshake, of which a flood must not evict other events.
    func record(_ change: Event.Change, ofConnection connection: JSONValue) {
        guard change == .failed else { return record(.connection(connection, change)) }
        // No rule's id has a space.
        recordThrottled(
            "handshake \(connection["cause"]?.string ?? "")", interval: EventLog.failureInterval,
            Pending(handshake: connection))
    }

    package func record(_ event: NewEvent) { append(event.kind, [.document(event.document.encoded)]) }
    func record(outcomes entries: [Entry]) { append(.outcome, entries.map { .push($0) }) }
    /// Records what time has done to Live Activities, in pieces, so that no push waits long for the journal's lock.
    func record(activities changes: [ActivityChange]) {
        for start in stride(from: 0, to: changes.count, by: EventLog.activityPieceCount) {
            append(.activity, changes[start...].prefix(EventLog.activityPieceCount).map { .activity($0) })
        }
    }

    /// Records that a fault rule acted; may be called for each firing, because it is throttled; `describe` returns the
    /// rule with its counters when the event is made; `nil`, for a removed rule, is no event.
    package func recordFiring(of rule: String, _ describe: @escaping @Sendable () -> JSONValue?) {
        recordThrottled(rule, interval: EventLog.firingInterval, Pending(firing: describe))
    }

    /// Records what may happen very often: the first within an interval at once, all others as one event at its end,
    /// the newest; calls with the same key have the same interval.
    private func recordThrottled(_ key: String, interval: Duration, _ pending: Pending) {
        let wall = wall.now
        let (advice, timer) = state.withLock { state in
            let advice = state.throttle.recordOccurrence(of: key, at: wall, interval: interval)
            if advice != .report { state.pending[key] = pending }
            return (advice, state.timer)
        }
        switch advice {
        case .report: if let event = pending.make() { record(event) }
        case .reportLater(let rest): timer?.scheduleLook(rest)
        case .counted: break
        }
    }

    /// Whether ``recordPending()`` would note something at a time.
    func isPendingDue(at wall: Instant) -> Bool {
        state.withLock { state in !state.pending.isEmpty && state.throttle.hasDue(at: wall) }
    }

    /// Records the pending events whose interval is over.
    func recordPending() {
        let wall = wall.now
        let (pending, next, timer) = state.withLock { state -> ([Pending], Duration?, Timer?) in
            guard !state.pending.isEmpty else { return ([], nil, nil) }
            let (due, next) = state.throttle.takeDue(at: wall)
            return (due.compactMap { $0.key.flatMap { state.pending.removeValue(forKey: $0) } }, next, state.timer)
        }
        if let next { timer?.scheduleLook(next) }
        for event in pending.lazy.compactMap({ $0.make() }) { record(event) }
    }

    /// What a snapshot has of the events to come.
    struct Throttled: Sendable {
        /// When firings of rules and failed handshakes were last reported, and which are to be.
        fileprivate let throttle: ReportThrottle
        /// The failed handshakes that are to be reported, by their keys; a firing is known to its rule.
        fileprivate let handshakes: [String: JSONValue]
    }

    var throttled: Throttled {
        let wall = wall.now
        return state.withLock { state in
            Throttled(
                throttle: state.throttle.narrowed(at: wall), handshakes: state.pending.compactMapValues(\.handshake))
        }
    }

    /// Goes on after a restart: events up to a number are gone.
    func restore(_ throttled: Throttled, evictedThrough: UInt64) {
        state.withLock { state in
            state.throttle = throttled.throttle
            // Rules that are still there replace theirs. Those of rules that are gone report nothing, but have to be taken, or
            // no firing of a further rule with the id would be reported.
            for key in throttled.throttle.repeatedKeys { state.pending[key] = Pending(firing: { nil }) }
            for (key, handshake) in throttled.handshakes { state.pending[key] = Pending(handshake: handshake) }
            state.history = EventHistory(evictedThrough: evictedThrough)
        }
    }

    /// Has an event about a rule's firings noted at the end of the present interval, as it was to be before a restart.
    func restorePendingFiring(of rule: String, _ describe: @escaping @Sendable () -> JSONValue?) {
        state.withLock { $0.pending[rule] = Pending(firing: describe) }
    }

    /// The numbers of the pushes that a filter matches and that only events are about, because the journal has evicted
    /// them.
    func evictedPushes(where filter: Filter) -> [UInt64] {
        let evictedThrough = journal.read { $0.counters.evictedThrough }
        let entries = state.withLock { $0.history.pushes(through: evictedThrough) }
        return Set(entries.filter { filter.matches(PushView($0)) }.map(\.sequence)).sorted()
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

extension EventLog.Throttled: ByteRecord {
    static let members = ByteMembers(EventLog.Throttled.init) { ($0.throttle, $0.handshakes) }

    var damage: String? {
        handshakes.values.contains { $0.object == nil } ? "a failed handshake is not an object" : nil
    }
}
