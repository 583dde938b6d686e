/// A part of everything that happened, pushes and other events in the order of their numbers.
package struct EventPiece: Sendable {
    /// One of them.
    package enum Item: Sendable {
        /// A push, as the journal has it now.
        case push(Entry)
        /// Another event.
        case event(Event)

        /// Its number.
        package var sequence: UInt64 {
            switch self {
            case .push(let entry): entry.sequence
            case .event(let event): event.sequence
            }
        }
    }

    /// In order.
    package let items: [Item]
    /// Everything up to this number is in here or before; the next piece begins behind it.
    package let end: UInt64
    /// Whether more lies behind ``end`` already.
    package let isCut: Bool

    /// Puts together what two readings found behind one number.
    ///
    /// - Parameters:
    ///   - pushes: At most `limit` pushes, the oldest, in order.
    ///   - events: At most `limit` other events, the oldest, in order.
    ///   - limit: How many were asked for; so many may have more behind them.
    ///   - watermark: The number up to which both readings could find anything.
    package init(pushes: [Entry], events: [Event], limit: Int, watermark: UInt64) {
        let endOfPushes = pushes.count < limit ? watermark : pushes.last?.sequence ?? watermark
        let endOfEvents = events.count < limit ? watermark : events.last?.sequence ?? watermark
        let end = min(endOfPushes, endOfEvents, watermark)
        var items: [Item] = []
        items.reserveCapacity(pushes.count + events.count)
        var nextPush = 0
        var nextEvent = 0
        while true {
            let push = nextPush < pushes.count ? pushes[nextPush].sequence : .max
            let event = nextEvent < events.count ? events[nextEvent].sequence : .max
            guard min(push, event) <= end else { break }
            if push < event {
                items.append(.push(pushes[nextPush]))
                nextPush += 1
            } else {
                items.append(.event(events[nextEvent]))
                nextEvent += 1
            }
        }
        self.items = items
        self.end = end
        self.isCut = end < watermark
    }
}

/// How far a reader has been told that something is missing.
package struct GapNotice: Sendable {
    private var toldThrough: UInt64 = 0

    /// Nothing was told.
    package init() {}

    /// What is to be told a reader that has everything up to `position`, when numbers up to `evictedThrough` have gone
    /// to make room; `nil` when it knows, or has had them.
    ///
    /// Not all of the numbers need have gone: what is there still comes after the notice.
    package mutating func gap(behind position: UInt64, evictedThrough: UInt64) -> ClosedRange<UInt64>? {
        let from = max(position, toldThrough) + 1
        guard evictedThrough >= from else { return nil }
        toldThrough = evictedThrough
        return from...evictedThrough
    }
}
