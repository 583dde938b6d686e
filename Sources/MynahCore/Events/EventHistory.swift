/// The newest events other than pushes, in the order of their numbers, as many as the bounds allow.
package struct EventHistory: Sendable {
    private let eventsMax: Int
    // Each event counts as ``Event/cost``.
    private let bytesMax: Int
    /// The highest evicted number; 0 for none.
    package private(set) var evictedThrough: UInt64 = 0
    /// The ``Event/cost`` of all events.
    package private(set) var bytes = 0

    // Events before `start` are evicted; they are removed together, so that each event is moved at most once.
    private var events: [Event?] = []
    private var start = 0

    /// The defaults are enough for a reader that comes back within minutes, and little compared with the journal.
    ///
    /// After a restart the events before it, up to `evictedThrough`, count as evicted.
    package init(eventsMax: Int = 10_000, bytesMax: Int = 16_000_000, evictedThrough: UInt64 = 0) {
        precondition(eventsMax > 0 && bytesMax > 0, "a history cannot have these bounds")
        self.eventsMax = eventsMax
        self.bytesMax = bytesMax
        self.evictedThrough = evictedThrough
    }

    package var count: Int { events.count - start }

    /// Adds an event with a higher number than all before, and evicts the oldest beyond the bounds; the newest stays
    /// whatever it costs.
    package mutating func append(_ event: Event) {
        if let last = events.last ?? nil {
            precondition(event.sequence > last.sequence, "event \(event.sequence) comes after \(last.sequence)")
        }
        events.append(event)
        bytes += event.cost
        while count > 1, count > eventsMax || bytes > bytesMax { evictFirst() }
        if start > events.count / 2 {
            events.removeFirst(start)
            start = 0
        }
    }

    private mutating func evictFirst() {
        guard let first = events[start].take() else { preconditionFailure("an event was evicted twice") }
        bytes -= first.cost
        evictedThrough = first.sequence
        start += 1
    }

    /// The pushes up to a number that events are about, as they were then.
    package func pushes(through last: UInt64) -> [Entry] {
        events[start...].compactMap { event in
            if case .push(let entry)? = event?.subject, entry.sequence <= last { entry } else { nil }
        }
    }

    /// Removes the events about certain pushes, which does not count as eviction.
    package mutating func forgetPushes(where isGone: (Entry) -> Bool) {
        events = events[start...].filter { event in
            guard case .push(let entry)? = event?.subject, isGone(entry) else { return true }
            bytes -= event?.cost ?? 0
            return false
        }
        start = 0
    }

    /// Up to `limit` events after one number and up to another, oldest first.
    package func events(after sequence: UInt64, through last: UInt64, limit: Int) -> [Event] {
        let first = events[start...].firstIndexInOrder { $0.map { $0.sequence > sequence } == true }
        return events[first...].prefix(limit).compactMap(\.self).filter { $0.sequence <= last }
    }
}
