extension EntryRing {
    /// The most that a number may be; far below the largest, so that the numbers after it can be counted.
    static let sequenceMax: UInt64 = 1 << 62

    /// What it is besides its entries.
    struct Head: ByteRecord {
        /// The number that the ring begins with, also if it has no entry.
        let first: UInt64
        /// How far each push that has not arrived is behind the one before, the first of them behind the number before
        /// ``first``.
        let vacantSteps: [UInt64]

        static let members = ByteMembers(Head.init) { ($0.first, $0.vacantSteps) }
    }

    /// The head in a journal in which pushes up to `lastArrived` have arrived, all of them up to `watermark`.
    func head(watermark: UInt64, lastArrived: UInt64) -> Head {
        let first = sequences.isEmpty ? lastArrived + 1 : first
        let vacant = sequences.clamped(to: watermark + 1 ..< .max).filter { state($0) == .vacant }
        return Head(first: first, vacantSteps: zip(vacant, [first - 1] + vacant).map { $0 - $1 })
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

    /// Begins with a head; of more than `spanMax` numbers the ring has only the last.
    init(_ head: EntryRing.Head, lastArrived: UInt64, spanMax: UInt64) throws(CodingProblem) {
        end = lastArrived + 1
        guard (1...end).contains(head.first) else {
            throw CodingProblem("a journal can't begin with push \(head.first)")
        }
        last = head.first - 1
        ring = EntryRing(first: max(head.first, end - min(spanMax, end)))
        var next = last
        for step in head.vacantSteps {
            let (sequence, overflows) = next.addingReportingOverflow(step)
            guard !overflows, next < sequence, sequence < end else {
                throw CodingProblem("the pushes that have not arrived are out of order")
            }
            next = sequence
            if next >= ring.first { vacant.append(next) }
        }
    }

    /// Moves on to the next entry, which is `step` behind the last one; returns its number.
    mutating func advance(by step: UInt64) throws(CodingProblem) -> UInt64 {
        let (sequence, overflows) = last.addingReportingOverflow(step)
        guard !overflows, last < sequence, sequence < end,
            vacant[vacant.firstIndexInOrder { $0 >= sequence }...].first != sequence
        else { throw CodingProblem("a push has no number, or that of another") }
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
