/// How much a journal keeps (`ControlAPI#Guarantees`).
package struct JournalBounds: Sendable, Equatable {
    /// The most entries; 0 keeps the counters only.
    package let entriesMax: Int
    /// The most bytes, each entry counted as ``Entry/cost``.
    package let bytesMax: Int

    /// Bounds; the defaults are those of the command line.
    package init(entriesMax: Int = 100_000, bytesMax: Int = 256_000_000) {
        precondition(
            (0...JournalBounds.entriesMaxMax).contains(entriesMax) && bytesMax >= 0,
            "a journal cannot have these bounds")
        self.entriesMax = entriesMax
        self.bytesMax = bytesMax
    }

    /// The most that `entriesMax` may be: the index keeps 32 bits of a sequence number.
    package static let entriesMaxMax = 1_000_000_000

    /// How many numbers may be given out and not have arrived: far more than streams can be open at once.
    static let inFlightMax = 65_536

    /// How many numbers of other things than pushes, or of removed pushes, may lie among those of retained ones: they
    /// cost some bits each, and an old push must not go for them.
    static let otherNumbersMax = 1 << 24

    /// The most sequence numbers between the oldest retained entry and the newest.
    ///
    /// More than `entriesMax`, because events take numbers and removed entries keep their place; still a bound, so that
    /// one old entry among them cannot make the journal grow for ever.
    var spanMax: UInt64 { UInt64(2 * entriesMax + JournalBounds.inFlightMax + JournalBounds.otherNumbersMax) }
}

/// What a journal has counted since it began or was reset (`Documents#Status`).
package struct JournalCounters: Sendable, Equatable {
    /// Pushes that arrived.
    package var received: UInt64 = 0
    /// Those answered with 200.
    package var accepted: UInt64 = 0
    /// Those answered otherwise.
    package var refused: UInt64 = 0
    /// Those that went to make room, oldest first.
    package var evicted: UInt64 = 0
    /// Those that somebody removed.
    package var removed: UInt64 = 0
    /// The highest sequence number evicted, 0 for none: a cursor below it has missed something.
    package var evictedThrough: UInt64 = 0
    /// Entries retained.
    package var size: Int = 0
    /// What the retained entries cost; see ``Entry/cost``.
    package var bytes: Int = 0

    /// Nothing counted yet.
    package init() {}

    mutating func countAnswer(_ status: Int16?) {
        switch status {
        case nil: break
        case 200: accepted += 1
        default: refused += 1
        }
    }

    mutating func uncountAnswer(_ status: Int16?) {
        switch status {
        case nil: break
        case 200: accepted -= 1
        default: refused -= 1
        }
    }
}
