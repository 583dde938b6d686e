/// A piece of everything that happened: pushes and other events in the order of their numbers.
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
    /// Everything up to this number is in this piece or an earlier one; the next piece begins after it.
    package let end: UInt64
    /// Whether there is more after ``end`` already.
    package let isCut: Bool

    /// Merges what was read from the journal and from the history after the same number and up to `watermark`, at most
    /// `limit` of each, in order; if there are as many, more may follow.
    package init(pushes: [Entry], events: [Event], limit: Int, watermark: UInt64) {
        let endOfPushes = pushes.count < limit ? watermark : pushes.last?.sequence ?? watermark
        let endOfEvents = events.count < limit ? watermark : events.last?.sequence ?? watermark
        let end = min(endOfPushes, endOfEvents, watermark)
        let items = pushes.map(Item.push) + events.map(Item.event)
        self.items = items.filter { $0.sequence <= end }.sorted { $0.sequence < $1.sequence }
        self.end = end
        isCut = end < watermark
    }
}

/// Reports each gap in a reader's events once.
package struct GapNotice: Sendable {
    private var reportedThrough: UInt64 = 0
    package init() {}

    /// The numbers to report to a reader that has everything up to `position`, when numbers up to `evictedThrough` were
    /// evicted, before the events of these numbers that are left; `nil` if the reader has had them, or knows.
    package mutating func gap(behind position: UInt64, evictedThrough: UInt64) -> ClosedRange<UInt64>? {
        let from = max(position, reportedThrough) + 1
        guard evictedThrough >= from else { return nil }
        reportedThrough = evictedThrough
        return from...evictedThrough
    }
}
