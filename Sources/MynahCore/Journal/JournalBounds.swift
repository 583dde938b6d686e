internal import APNsRules

/// How much a journal keeps (`ControlAPI#Guarantees`).
package struct JournalBounds: Sendable, Equatable {
    /// 0 keeps the counters only.
    package let entriesMax: Int
    /// The most bytes, each entry counted as ``Entry/cost``.
    package let bytesMax: Int

    /// Makes bounds; the defaults are the command line's.
    package init(entriesMax: Int = 100_000, bytesMax: Int = 256_000_000) {
        precondition(
            0...JournalBounds.entriesMaxMax ~= entriesMax && bytesMax >= 0, "a journal cannot have these bounds")
        self.entriesMax = entriesMax
        self.bytesMax = bytesMax
    }

    /// The most that `entriesMax` may be: the index keeps 32 bits of a sequence number.
    package static let entriesMaxMax = 1_000_000_000
    /// How many numbers may be taken and not have arrived: far more than streams can be open at once.
    private static let inFlightMax = 65_536
    /// How many numbers of events or removed pushes may lie among the numbers of retained pushes: they cost some bits
    /// each, and an old push must not be evicted for them.
    private static let otherNumbersMax = 1 << 24

    /// The most sequence numbers from the oldest retained entry to the newest, so that one old entry cannot make the
    /// journal grow for ever.
    var spanMax: UInt64 { UInt64(2 * entriesMax + JournalBounds.inFlightMax + JournalBounds.otherNumbersMax) }
}

/// What a journal has counted since it was made or reset (`Documents#Status`).
package struct JournalCounters: Sendable, Equatable {
    package var received: UInt64 = 0
    /// Pushes answered with 200, and web pushes with 201.
    package var accepted: UInt64 = 0
    /// Pushes answered with another status.
    package var refused: UInt64 = 0
    package var evicted: UInt64 = 0
    /// Pushes removed by a call.
    package var removed: UInt64 = 0
    /// The highest evicted sequence number, 0 for none: a cursor below it has missed something.
    package var evictedThrough: UInt64 = 0
    /// What answers say of ``evicted``.
    package static let evictedSentence = "How many pushes were evicted since the start or a reset."
    /// Entries retained.
    package var size = 0
    /// The ``Entry/cost`` of the retained entries.
    package var bytes = 0
    package init() {}

    private func isAcceptance(_ status: Int16?) -> Bool { status.map { Reply.isAcceptance(Int($0)) } == true }

    mutating func countAnswer(_ status: Int16?, insteadOf earlier: Int16? = nil) {
        if isAcceptance(earlier) { accepted -= 1 } else if earlier != nil { refused -= 1 }
        if isAcceptance(status) { accepted += 1 } else if status != nil { refused += 1 }
    }
}

/// The counters as bytes, without what can be counted from the entries.
extension JournalCounters: ByteRecord {
    package static let members = ByteProperties(
        of: JournalCounters.init, \.received, \.accepted, \.refused, \.evicted, \.removed, \.evictedThrough)
}
