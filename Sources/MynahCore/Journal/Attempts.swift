internal import APNsRules

/// The newest entry of each `apns-id` in a ring, by which attempts to send the same push are counted.
struct Attempts: Sendable {
    // The low 32 bits of sequence numbers by the hash of the id; 32 bits suffice because a ring spans fewer than 2³².
    private var index = HashIndex(capacity: 64, usedQuartersMax: 2)

    private static func tag(_ id: NotificationID) -> UInt32 {
        let value = id.value
        let low = UInt64(truncatingIfNeeded: value) &* 0x9e37_79b9_7f4a_7c15
        let high = UInt64(truncatingIfNeeded: value >> 64) &* 0xff51_afd7_ed55_8ccd
        let word = low ^ high ^ high >> 29
        return HashIndex.tag((word ^ word >> 32) &* 0xff51_afd7_ed55_8ccd)
    }

    private static func fullSequence(_ low: UInt32, _ ring: borrowing EntryRing) -> UInt64 {
        ring.first + UInt64(low &- UInt32(truncatingIfNeeded: ring.first))
    }

    /// Records an entry's id and returns which attempt the entry is; the entry itself need not be in the ring yet.
    mutating func recordAttempt(_ entry: borrowing Entry, in ring: inout EntryRing) -> Int32 {
        let tag = Attempts.tag(entry.notificationID)
        let low = UInt32(truncatingIfNeeded: entry.sequence)
        var found: (sequence: UInt64, attempt: Int32)?
        let foundLow = index.find(tag) { candidate in
            found =
                ring.peek(Attempts.fullSequence(candidate, ring)) {
                    $0.notificationID == entry.notificationID ? ($0.sequence, $0.attempt) : nil
                } ?? nil
            return found != nil
        }
        guard let foundLow, let found else {
            index.insert(tag, low)
            return 1
        }
        if found.sequence < entry.sequence { index.replace(tag, foundLow, by: low) }
        guard entry.hasOwnID else { return 1 }
        guard found.sequence > entry.sequence else { return found.attempt + 1 }
        // The later attempt arrived first.
        ring.update(found.sequence) { $0.attempt += 1 }
        return found.attempt
    }

    /// The newest entry with an `apns-id`.
    func newest(_ id: NotificationID, in ring: EntryRing) -> Entry? {
        let low = index.find(Attempts.tag(id)) { candidate in
            ring.peek(Attempts.fullSequence(candidate, ring)) { $0.notificationID == id } ?? false
        }
        return low.flatMap { ring.entry(Attempts.fullSequence($0, ring)) }
    }

    /// Forgets an entry before it is removed from the ring.
    mutating func forget(_ sequence: UInt64, in ring: EntryRing) {
        guard let id = ring.peek(sequence, { $0.notificationID }) else { return }
        index.remove(Attempts.tag(id), UInt32(truncatingIfNeeded: sequence))
    }

    /// Counts all attempts anew.
    mutating func rebuild(from ring: inout EntryRing) {
        self = Attempts()
        var next = ring.first
        while let sequence = ring.nextRetained(from: next) {
            if let entry = ring.entry(sequence) { _ = recordAttempt(entry, in: &ring) }
            next = sequence + 1
        }
    }

    /// What contradicts the ring; for tests.
    func brokenInvariants(_ ring: EntryRing) -> [String] {
        let keys = index.keys
        let broken = keys.count == index.count ? [] : ["\(keys.count) keys, counted \(index.count)"]
        return broken
            + keys.compactMap { tag, value in
                let sequence = Attempts.fullSequence(value, ring)
                let isRight = ring.entry(sequence).map { Attempts.tag($0.notificationID) == tag } ?? false
                return isRight ? nil : "a key points to \(sequence), which does not have it"
            }
    }
}
