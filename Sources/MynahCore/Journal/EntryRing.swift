/// The retained entries by sequence number: a run of slots that grows at its end and shrinks at its front.
///
/// Slots lie in chunks, so that growing never copies what is there, and a chunk that has run empty at the
/// front is used again at the end: a full journal allocates nothing for its slots. A chunk of which everything has arrived
/// and at most half is still here is packed: numbers that are not those of pushes, or whose pushes somebody removed, then
/// cost next to nothing, however many there are.
struct EntryRing: Sendable {
    /// What has become of one sequence number.
    enum State: UInt8, Sendable {
        /// Taken by a push that has not arrived yet, or not taken yet.
        case vacant
        /// Arrived and removed since, or never to arrive.
        case removed
        /// Here.
        case retained
    }

    /// The lowest sequence number in the ring, or `end` when it is empty.
    private(set) var first: UInt64
    /// One more than the highest sequence number in the ring.
    private(set) var end: UInt64
    // The sequence number of the first slot of the first chunk.
    private var base: UInt64
    private var chunks: [EntryChunk] = []
    private var spare: EntryChunk?

    /// An empty ring whose first sequence number will be `first`.
    init(first: UInt64) {
        self.first = first
        self.end = first
        self.base = first
    }

    /// The numbers in the ring.
    var sequences: Range<UInt64> { first..<end }

    /// How many slots there is memory for.
    var slotCount: Int { chunks.reduce(0) { $0 + $1.slotCount } }

    /// What has become of a number in ``sequences``.
    func state(_ sequence: UInt64) -> State {
        let (chunk, offset) = place(sequence)
        return chunks[chunk].state(offset)
    }

    /// What an entry counted for when it was put here; of a number that has one.
    func cost(_ sequence: UInt64) -> Int {
        let (chunk, offset) = place(sequence)
        return chunks[chunk].cost(offset)
    }

    /// The entry of a number, or `nil` when the number is not in the ring or has none.
    func entry(_ sequence: UInt64) -> Entry? {
        guard sequence >= first, sequence < end else { return nil }
        let (chunk, offset) = place(sequence)
        return chunks[chunk].entry(offset)
    }

    /// The lowest number from one on that has an entry.
    func nextRetained(from sequence: UInt64) -> UInt64? {
        guard max(sequence, first) < end else { return nil }
        var (chunk, offset) = place(max(sequence, first))
        while chunk < chunks.count {
            if let found = chunks[chunk].nextRetained(from: offset) { return number(chunk, found) }
            chunk += 1
            offset = 0
        }
        return nil
    }

    /// How many entries there are from a number on.
    func retainedCount(from sequence: UInt64) -> Int {
        guard max(sequence, first) < end else { return 0 }
        let (chunk, offset) = place(max(sequence, first))
        return chunks[(chunk + 1)...].reduce(chunks[chunk].retainedCount(from: offset)) {
            $0 + $1.retainedCount(from: 0)
        }
    }

    /// The highest number below one that has an entry.
    func lastRetained(before sequence: UInt64) -> UInt64? {
        guard min(sequence, end) > first else { return nil }
        var (chunk, offset) = place(min(sequence, end) - 1)
        while chunk >= 0 {
            if let found = chunks[chunk].lastRetained(through: offset) { return number(chunk, found) }
            chunk -= 1
            offset = EntryChunk.count - 1
        }
        return nil
    }

    /// The entry of a number that has one, to be looked at where it lies: each member that is asked for is copied, and
    /// no other.
    @inline(__always)
    func peek<Value>(_ sequence: UInt64, _ member: (borrowing Entry) -> Value) -> Value? {
        guard sequence >= first, sequence < end else { return nil }
        let (chunk, offset) = place(sequence)
        return chunks[chunk].peek(offset, member)
    }

    private func place(_ sequence: UInt64) -> (chunk: Int, offset: Int) {
        let distance = Int(truncatingIfNeeded: sequence - base)
        return (distance / EntryChunk.count, distance % EntryChunk.count)
    }

    private func number(_ chunk: Int, _ offset: Int) -> UInt64 { base + UInt64(chunk * EntryChunk.count + offset) }

    /// Makes `sequence` the last number of the ring unless the ring reaches further; new slots are vacant.
    mutating func extend(to sequence: UInt64) {
        guard sequence >= end else { return }
        let chunksNeeded = Int(sequence - base) / EntryChunk.count + 1
        while chunks.count < chunksNeeded { chunks.append(spare.take() ?? EntryChunk()) }
        end = sequence + 1
    }

    /// Puts an entry at its number, which must be in ``sequences`` and vacant.
    mutating func insert(_ entry: consuming Entry, cost: Int) {
        let sequence = entry.sequence
        let (chunk, offset) = place(sequence)
        chunks[chunk].insert(consume entry, cost: cost, at: offset)
    }

    /// Changes an entry in place; the number must be in ``sequences`` and have one.
    mutating func update(_ sequence: UInt64, _ change: (inout Entry) -> Void) {
        let (chunk, offset) = place(sequence)
        chunks[chunk].update(offset, change)
    }

    /// Takes away what is at a number in ``sequences``; nothing comes there any more.
    mutating func clear(_ sequence: UInt64) {
        let (chunk, offset) = place(sequence)
        chunks[chunk].clear(offset)
    }

    /// Forgets the first number; the ring must not be empty.
    mutating func removeFirst() {
        let (chunk, offset) = place(first)
        chunks[chunk].forget(offset)
        first += 1
        if Int(first - base) == EntryChunk.count {
            let empty = chunks.removeFirst()
            if !empty.isPacked { spare = empty }
            base = first
        }
    }

    /// Goes on at `sequence`; the ring must be empty.
    mutating func jump(to sequence: UInt64) {
        precondition(first == end, "only an empty ring can go on elsewhere")
        self = EntryRing(first: sequence)
    }
}
