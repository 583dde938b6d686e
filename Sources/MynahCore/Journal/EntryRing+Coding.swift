extension EntryRing {
    /// The most that a number may be; far below the largest, so that the numbers after it can be counted.
    static let sequenceMax: UInt64 = 1 << 62

    /// Writes what it is besides its entries, in a journal in which pushes up to `lastArrived` have arrived, all of them
    /// up to `watermark`.
    func write(to writer: inout ByteWriter, watermark: UInt64, lastArrived: UInt64) {
        let first = sequences.isEmpty ? lastArrived + 1 : first
        writer.write(varint: first)
        let vacant = sequences.clamped(to: watermark + 1 ..< .max).filter { state($0) == .vacant }
        writer.write(varint: UInt64(vacant.count))
        var last = first - 1
        for sequence in vacant {
            writer.write(varint: sequence - last)
            last = sequence
        }
    }
}

/// Makes a ring of entries that are given in the order of their numbers: all other numbers are removed, but for those
/// whose pushes have not arrived yet.
struct EntryRingReading: Sendable {
    private(set) var ring: EntryRing
    // The number of the entry that was read last, or the one before the first.
    private var last: UInt64
    private let end: UInt64
    private var vacant: ArraySlice<UInt64> = []

    /// Reads what ``EntryRing/write(to:watermark:lastArrived:)`` wrote; of more than `spanMax` numbers the ring has only
    /// the last.
    init(from reader: inout ByteReader, lastArrived: UInt64, spanMax: UInt64) throws(CodingProblem) {
        end = lastArrived + 1
        let first = try reader.varint()
        guard (1...end).contains(first) else { throw reader.problem("a journal can't begin with push \(first)") }
        last = first - 1
        ring = EntryRing(first: max(first, end - min(spanMax, end)))
        var next = last
        for _ in 0..<(try reader.count()) {
            let (sequence, overflows) = next.addingReportingOverflow(try reader.varint())
            guard !overflows, next < sequence, sequence < end else {
                throw reader.problem("the pushes that have not arrived are out of order")
            }
            next = sequence
            if next >= ring.first { vacant.append(next) }
        }
    }

    /// Moves on to the next entry's number.
    mutating func sequence(from reader: inout ByteReader) throws(CodingProblem) -> UInt64 {
        let (sequence, overflows) = last.addingReportingOverflow(try reader.varint())
        guard !overflows, last < sequence, sequence < end,
            vacant[vacant.firstIndexInOrder { $0 >= sequence }...].first != sequence
        else { throw reader.problem("a push has no number, or that of another") }
        last = sequence
        return sequence
    }

    /// Adds an entry; returns its cost, or `nil` if the ring begins after it.
    mutating func insert(_ entry: consuming Entry) -> Int? {
        guard entry.sequence >= ring.first else { return nil }
        removeNumbers(before: entry.sequence)
        ring.extend(to: entry.sequence)
        let cost = entry.cost
        ring.insert(entry, cost: cost)
        return cost
    }

    /// Adds the numbers after the last entry.
    mutating func finish() { removeNumbers(before: end) }

    private mutating func removeNumbers(before sequence: UInt64) {
        while ring.end < sequence {
            let next = ring.end
            ring.extend(to: next)
            if vacant.first == next { vacant.removeFirst() } else { ring.clear(next) }
        }
    }
}
