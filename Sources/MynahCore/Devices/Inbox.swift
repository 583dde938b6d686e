package import APNsRules

/// A delivered push; its content is in the journal.
package struct InboxItem: Sendable, Equatable {
    package let sequence: UInt64
    package let deliveredAt: Instant
}

/// The newest pushes delivered to a device, in the order of delivery; one is stored inline, because most devices of a
/// load test get one.
struct Inbox: Sendable {
    private var first = InboxItem(sequence: 0, deliveredAt: Instant(milliseconds: 0))
    private var more = Boxed<More>()

    private struct More: Sendable, DefaultInitializable {
        var items: [InboxItem] = []
        // The index of the oldest, once the limit was reached and new items replace old ones in a circle.
        var start = 0
        var dropped: UInt64 = 0

        mutating func add(_ item: InboxItem, limit: Int) {
            guard items.count >= limit else { return items.append(item) }
            items[start] = item
            start = (start + 1) % items.count
            dropped += 1
        }
    }

    var dropped: UInt64 { more.value?.dropped ?? 0 }
    var count: Int { more.value?.items.count ?? (first.sequence == 0 ? 0 : 1) }

    /// The number of the newest.
    var last: UInt64? {
        guard let more = more.value, !more.items.isEmpty else { return first.sequence == 0 ? nil : first.sequence }
        return more.items[(more.start + more.items.count - 1) % more.items.count].sequence
    }

    /// All items, oldest first.
    var items: [InboxItem] {
        guard let more = more.value else { return first.sequence == 0 ? [] : [first] }
        return Array(more.items[more.start...]) + more.items[..<more.start]
    }

    /// Adds an item; beyond `limit` the oldest is dropped and counted.
    mutating func append(_ sequence: UInt64, at deliveredAt: Instant, limit: Int) {
        let item = InboxItem(sequence: sequence, deliveredAt: deliveredAt)
        if more.isAbsent {
            if first.sequence == 0 {
                first = item
                return
            }
            more.orDefault.items = [first]
        }
        more.orDefault.add(item, limit: limit)
    }
}
