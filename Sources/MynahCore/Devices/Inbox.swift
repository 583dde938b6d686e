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

    /// The inbox's items, oldest first.
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

extension Inbox: ByteCodable {
    // Numbers and times as differences, which are small.
    package func write(to writer: inout ByteWriter) {
        writer.write(varint: UInt64(count))
        var before = InboxItem(sequence: 0, deliveredAt: Instant(milliseconds: 0))
        for item in items {
            writer.write(signed: Int64(bitPattern: item.sequence &- before.sequence))
            writer.write(signed: item.deliveredAt.milliseconds &- before.deliveredAt.milliseconds)
            before = item
        }
        writer.write(dropped)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let count = try reader.count()
        var before = first
        for _ in 0..<count {
            let number: Int64 = try reader.signed()
            let time: Int64 = try reader.signed()
            let item = InboxItem(
                sequence: before.sequence &+ UInt64(bitPattern: number),
                deliveredAt: Instant(milliseconds: before.deliveredAt.milliseconds &+ time))
            guard item.sequence > 0 else { throw reader.problem("an inbox has push 0") }
            append(item.sequence, at: item.deliveredAt, limit: count)
            before = item
        }
        let dropped = try reader.read(UInt64.self)
        guard dropped > 0 else { return }
        guard count > 0 else { throw reader.problem("an inbox is empty, and older pushes were dropped for newer ones") }
        if more.isAbsent { more.orDefault.items = [first] }
        more.orDefault.dropped = dropped
    }
}
