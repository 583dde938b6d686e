/// A piece of the event stream: pushes and other events in the order of their numbers.
package struct EventPiece: Sendable {
    package enum Item: Sendable {
        /// A push, as the journal has it now.
        case push(Entry)
        case event(Event)

        package var sequence: UInt64 {
            switch self {
            case .push(let entry): entry.sequence
            case .event(let event): event.sequence
            }
        }
    }

    package let items: [Item]
    /// The number up to which all events are in this piece or an earlier one; the next piece begins after it.
    package let end: UInt64
    /// Whether more follows after ``end``.
    package let isCut: Bool

    /// Merges pushes and events that were read after the same number, up to `watermark` and each up to a limit; a full list
    /// may have more after its last item.
    package init(pushes: [Entry], limit pushesMax: Int, events: [Event], limit: Int, watermark: UInt64) {
        let endOfPushes = pushes.count < pushesMax ? watermark : pushes.last?.sequence ?? watermark
        let endOfEvents = events.count < limit ? watermark : events.last?.sequence ?? watermark
        let end = min(endOfPushes, endOfEvents, watermark)
        let items = pushes.map(Item.push) + events.map(Item.event)
        self.items = items.filter { $0.sequence <= end }.sorted { $0.sequence < $1.sequence }
        self.end = end
        isCut = end < watermark
    }
}

/// Reports each gap in the events of one reader once.
package struct GapReporter: Sendable {
    private var reportedThrough: UInt64 = 0
    package init() {}

    /// The evicted numbers after `position` that have not been reported yet, to be sent before later events; `nil` if
    /// there are none.
    package mutating func unreported(after position: UInt64, evictedThrough: UInt64) -> ClosedRange<UInt64>? {
        let from = max(position, reportedThrough) + 1
        guard evictedThrough >= from else { return nil }
        reportedThrough = evictedThrough
        return from...evictedThrough
    }
}
