package import APNsRules

/// A push that arrived; what it said is in the journal, under its number.
package struct InboxItem: Sendable, Equatable {
    /// The push's number in the journal.
    package let sequence: UInt64
    /// When the device got it.
    package let deliveredAt: Instant
}

/// What arrived on a device, in the order of arrival, as many as its bound allows.
///
/// Most devices of a load test get one push, so one is inline and needs no place of its own.
struct Inbox: Sendable {
    private var first = InboxItem(sequence: 0, deliveredAt: Instant(milliseconds: 0))
    private var more = Rare<More>()

    private struct More: Sendable {
        var items: [InboxItem] = []
        // Where the oldest is, once the bound was reached and new ones replace old ones in a circle.
        var start = 0
        var dropped: UInt64 = 0
    }

    /// Nothing arrived.
    init() {}

    /// How many items went to make room.
    var dropped: UInt64 { more.value?.dropped ?? 0 }

    /// How many items are there.
    var count: Int { more.value?.items.count ?? (first.sequence == 0 ? 0 : 1) }

    /// All items, oldest first.
    var items: [InboxItem] {
        guard let more = more.value else { return first.sequence == 0 ? [] : [first] }
        return Array(more.items[more.start...]) + more.items[..<more.start]
    }

    /// Adds an item; beyond `limit` the oldest goes and is counted.
    mutating func append(_ sequence: UInt64, at deliveredAt: Instant, limit: Int) {
        let item = InboxItem(sequence: sequence, deliveredAt: deliveredAt)
        if more.isAbsent {
            if first.sequence == 0 {
                first = item
                return
            }
            more[orMaking: More()].items = [first]
        }
        Inbox.add(item, &more[orMaking: More()], limit)
    }

    private static func add(_ item: InboxItem, _ more: inout More, _ limit: Int) {
        guard more.items.count >= limit else {
            more.items.append(item)
            return
        }
        more.items[more.start] = item
        more.start = (more.start + 1) % more.items.count
        more.dropped += 1
    }

    /// Forgets everything.
    mutating func removeAll() { self = Inbox() }
}
