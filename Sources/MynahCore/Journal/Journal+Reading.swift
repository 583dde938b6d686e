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
