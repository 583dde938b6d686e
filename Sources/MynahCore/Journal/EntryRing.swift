/// The retained entries by sequence number: a run of slots that grows at its end and shrinks at its front.
///
/// Slots are in chunks, so that growing never copies them, and an empty chunk at the front is used again at the end: a
/// full journal allocates nothing for its slots. A chunk in which everything has arrived and at most half is retained
/// is packed, so that the numbers of events and of removed pushes cost next to nothing.
struct EntryRing: Sendable {
    enum State: UInt8, Sendable {
        /// The push has not arrived yet.
        case vacant
        /// The push was removed, or will never arrive.
        case removed
        case retained
    }

    /// The lowest sequence number in the ring, or `end` if it is empty.
    private(set) var first: UInt64
    private(set) var end: UInt64
    // The sequence number of the first slot of the first chunk.
    private var base: UInt64
    private var chunks: [EntryChunk] = []
    private var spare: EntryChunk?

    init(first: UInt64) {
        self.first = first
        end = first
        base = first
    }
    var sequences: Range<UInt64> { first..<end }
    var slotCount: Int { chunks.reduce(0) { $0 + $1.slotCount } }
    /// The state of a number in ``sequences``.
    func state(_ sequence: UInt64) -> State { chunks[chunk(of: sequence)].state(offset(of: sequence)) }
    func cost(_ sequence: UInt64) -> Int { chunks[chunk(of: sequence)].cost(offset(of: sequence)) }
    func entry(_ sequence: UInt64) -> Entry? { peek(sequence) { copy $0 } }

    /// The lowest number with an entry, from a number on.
    func nextRetained(from sequence: UInt64) -> UInt64? {
        let sequence = max(sequence, first)
        guard sequence < end else { return nil }
        var offset = offset(of: sequence)
        for chunk in chunk(of: sequence)..<chunks.count {
            if let found = chunks[chunk].nextRetained(from: offset) { return number(chunk, found) }
            offset = 0
        }
        return nil
    }

    func retainedCount(from sequence: UInt64) -> Int {
        let sequence = max(sequence, first)
        guard sequence < end else { return 0 }
        let chunk = chunk(of: sequence)
        return chunks[(chunk + 1)...].reduce(chunks[chunk].retainedCount(from: offset(of: sequence))) {
            $0 + $1.retainedCount(from: 0)
        }
    }

    func lastRetained(before sequence: UInt64) -> UInt64? {
        guard min(sequence, end) > first else { return nil }
        let last = min(sequence, end) - 1
        var offset = offset(of: last)
        for chunk in (0...chunk(of: last)).reversed() {
            if let found = chunks[chunk].lastRetained(through: offset) { return number(chunk, found) }
            offset = EntryChunk.count - 1
        }
        return nil
    }

    /// Reads from an entry in place: only the members that are asked for are copied.
    @inline(__always)
    func peek<Value>(_ sequence: UInt64, _ member: (borrowing Entry) -> Value) -> Value? {
        guard sequence >= first, sequence < end else { return nil }
        return chunks[chunk(of: sequence)].peek(offset(of: sequence), member)
    }

    private func chunk(of sequence: UInt64) -> Int { Int(truncatingIfNeeded: sequence - base) / EntryChunk.count }
    private func offset(of sequence: UInt64) -> Int { Int(truncatingIfNeeded: sequence - base) % EntryChunk.count }
    private func number(_ chunk: Int, _ offset: Int) -> UInt64 { base + UInt64(chunk * EntryChunk.count + offset) }

    mutating func extend(to sequence: UInt64) {
        guard sequence >= end else { return }
        while chunks.count <= chunk(of: sequence) { chunks.append(spare.take() ?? EntryChunk()) }
        end = sequence + 1
    }

    /// Puts an entry at its number, which is in ``sequences`` and vacant.
    mutating func insert(_ entry: consuming Entry, cost: Int) {
        let chunk = chunk(of: entry.sequence)
        let offset = offset(of: entry.sequence)
        chunks[chunk].insert(consume entry, cost: cost, at: offset)
    }

    mutating func update(_ sequence: UInt64, _ change: (inout Entry) -> Void) {
        chunks[chunk(of: sequence)].update(offset(of: sequence), change)
    }

    /// Removes the entry, if there is one, of a number in ``sequences``, which stays unused.
    mutating func clear(_ sequence: UInt64) { chunks[chunk(of: sequence)].clear(offset(of: sequence)) }

    /// Forgets the first number of a ring that is not empty.
    mutating func removeFirst() {
        chunks[0].forget(offset(of: first))
        first += 1
        if Int(first - base) == EntryChunk.count {
            let empty = chunks.removeFirst()
            if !empty.isPacked { spare = empty }
            base = first
        }
    }

    /// Continues an empty ring at a number.
    mutating func jump(to sequence: UInt64) {
        precondition(first == end, "only an empty ring can jump")
        self = EntryRing(first: sequence)
    }
}
