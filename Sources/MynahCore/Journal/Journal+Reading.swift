package import APNsRules

extension Journal {
    /// The entry with a number, or `nil` when it has not arrived or is not retained.
    package func entry(_ sequence: UInt64) -> Entry? { ring.entry(sequence) }

    /// Which push the one with a number repeats; `nil` when it is not known of it, or it repeats none.
    package func repeats(_ sequence: UInt64) -> UInt64? { ring.peek(sequence) { $0.repeats } ?? nil }

    /// The newest retained entry with an `apns-id`, the sender's or a generated one.
    package func newestEntry(_ id: NotificationID) -> Entry? {
        var found: Entry?
        _ = index.find(NotificationIDIndex.tag(of: id)) { candidate in
            guard let entry = ring.entry(fullSequence(candidate)), entry.notificationID == id else { return false }
            found = entry
            return true
        }
        return found
    }

    /// Up to `limit` entries after a number and up to ``watermark``, oldest first.
    ///
    /// A copy that shares the payloads. Long reads go in pieces, each with the last number of the piece
    /// before, so that the lock is never held for long.
    package func entries(after sequence: UInt64, limit: Int) -> [Entry] {
        entries(after: sequence, limit: limit) { _ in true }.entries
    }

    /// Up to `limit` entries before a number and up to ``watermark``, newest first.
    package func entries(before sequence: UInt64, limit: Int) -> [Entry] {
        entries(before: sequence, limit: limit) { _ in true }.entries
    }

    /// The same, of `limit` entries that are looked at those that `isWanted`, and the number of the last one.
    ///
    /// An entry that is not wanted is not copied. `isWanted` is called under the lock, so it must be quick.
    package func entries(
        after sequence: UInt64, limit: Int, where isWanted: (borrowing Entry) -> Bool
    ) -> (entries: [Entry], last: UInt64?) {
        guard sequence < watermark else { return ([], nil) }
        return entries(limit, isWanted) { last in
            ring.nextRetained(from: (last ?? sequence) + 1).flatMap { $0 <= watermark ? $0 : nil }
        }
    }

    /// The same before a number.
    package func entries(
        before sequence: UInt64, limit: Int, where isWanted: (borrowing Entry) -> Bool
    ) -> (entries: [Entry], last: UInt64?) {
        entries(limit, isWanted) { last in ring.lastRetained(before: last ?? min(sequence, watermark &+ 1)) }
    }

    private func entries(
        _ limit: Int, _ isWanted: (borrowing Entry) -> Bool, next: (UInt64?) -> UInt64?
    ) -> (entries: [Entry], last: UInt64?) {
        var entries: [Entry] = []
        var last: UInt64?
        for _ in 0..<limit {
            guard let found = next(last) else { break }
            if ring.peek(found, isWanted) == true, let entry = ring.entry(found) { entries.append(entry) }
            last = found
        }
        return (entries, last)
    }

    /// Whether no retained entry has a lower number.
    package func isOldest(_ sequence: UInt64) -> Bool { ring.lastRetained(before: sequence) == nil }

    /// How many entries there are after a number and up to another.
    package func entryCount(after sequence: UInt64, through last: UInt64) -> Int {
        guard sequence < last else { return 0 }
        return ring.retainedCount(from: sequence + 1) - (last == .max ? 0 : ring.retainedCount(from: last + 1))
    }
}
