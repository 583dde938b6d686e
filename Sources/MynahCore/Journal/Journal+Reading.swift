package import APNsRules

extension Journal {
    /// The entry with a number, or `nil` when it has not arrived or is not retained.
    package func entry(_ sequence: UInt64) -> Entry? { ring.entry(sequence) }

    /// The newest retained entry with an `apns-id`, the sender's or a generated one.
    package func newestEntry(_ id: NotificationID) -> Entry? {
        var found: Entry?
        _ = index.find(RepeatIndex.tag(of: id)) { candidate in
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
        var entries: [Entry] = []
        guard sequence < watermark else { return [] }
        var next = sequence + 1
        while entries.count < limit, let found = ring.nextRetained(from: next), found <= watermark {
            if let entry = ring.entry(found) { entries.append(entry) }
            next = found + 1
        }
        return entries
    }

    /// The entries after a number and up to ``watermark`` that `isWanted`, oldest first, and the last number that was
    /// looked at; looks at up to `limit`.
    ///
    /// An entry that is not wanted is not copied. `isWanted` is called under the lock, so it must be quick.
    package func entries(
        after sequence: UInt64, limit: Int, where isWanted: (borrowing Entry) -> Bool
    ) -> (entries: [Entry], last: UInt64?) {
        var entries: [Entry] = []
        var last: UInt64?
        guard sequence < watermark else { return ([], nil) }
        var next = sequence + 1
        for _ in 0..<limit {
            guard let found = ring.nextRetained(from: next), found <= watermark else { break }
            if ring.peek(found, isWanted) == true, let entry = ring.entry(found) { entries.append(entry) }
            last = found
            next = found + 1
        }
        return (entries, last)
    }

    /// How many entries there are after a number and up to another.
    package func entryCount(after sequence: UInt64, through last: UInt64) -> Int {
        guard sequence < last else { return 0 }
        return ring.retainedCount(from: sequence + 1) - (last == .max ? 0 : ring.retainedCount(from: last + 1))
    }

    /// Up to `limit` entries before a number and up to ``watermark``, newest first.
    package func entries(before sequence: UInt64, limit: Int) -> [Entry] {
        var entries: [Entry] = []
        var end = min(sequence, watermark &+ 1)
        while entries.count < limit, let found = ring.lastRetained(before: end) {
            if let entry = ring.entry(found) { entries.append(entry) }
            end = found
        }
        return entries
    }
}
