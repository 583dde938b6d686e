/// The retained entries by sequence number: a run of slots that grows at its end and shrinks at its front.
///
/// Slots lie in chunks, so that growing never copies what is there, and a chunk that has run empty at the
/// front is used again at the end: a full journal allocates nothing for its slots.
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

    // The entry is moved in once and destroyed in place: at its size, each further move shows in the cost of an
    // append. What eviction needs of it lies beside it.
    private struct Slot: Sendable {
        var entry: Entry?
        var tags = RepeatIndex.Tags(id: 0, content: 0)
        var cost: Int32 = 0
        var state = State.vacant
    }

    /// Slots of one chunk; 256 entries are some 60 kB, which malloc serves without asking the kernel.
    private static let chunkCount = 256

    /// The lowest sequence number in the ring, or `end` when it is empty.
    private(set) var first: UInt64
    /// One more than the highest sequence number in the ring.
    private(set) var end: UInt64
    // The sequence number of the first slot of the first chunk.
    private var base: UInt64
    private var chunks: [[Slot]] = []
    private var spare: [Slot] = []

    /// An empty ring whose first sequence number will be `first`.
    init(first: UInt64) {
        self.first = first
        self.end = first
        self.base = first
    }

    /// The numbers in the ring.
    var sequences: Range<UInt64> { first..<end }

    /// What has become of a number in ``sequences``.
    func state(_ sequence: UInt64) -> State {
        let (chunk, offset) = place(sequence)
        return chunks[chunk][offset].state
    }

    /// The keys of an entry in the index; of a number in ``sequences``.
    func tags(_ sequence: UInt64) -> RepeatIndex.Tags {
        let (chunk, offset) = place(sequence)
        return chunks[chunk][offset].tags
    }

    /// What an entry counted for when it was put here; of a number in ``sequences``.
    func cost(_ sequence: UInt64) -> Int {
        let (chunk, offset) = place(sequence)
        return Int(chunks[chunk][offset].cost)
    }

    /// The entry of a number, or `nil` when the number is not in the ring or has none.
    func entry(_ sequence: UInt64) -> Entry? {
        guard sequence >= first, sequence < end else { return nil }
        let (chunk, offset) = place(sequence)
        return chunks[chunk][offset].entry
    }

    /// The entry of a number that has one, to be looked at where it lies: each member that is asked for is copied, and
    /// no other.
    @inline(__always)
    func peek<Value>(_ sequence: UInt64, _ member: (borrowing Entry) -> Value) -> Value? {
        guard sequence >= first, sequence < end else { return nil }
        let (chunk, offset) = place(sequence)
        return chunks[chunk][offset].entry.map { member($0) }
    }

    private func place(_ sequence: UInt64) -> (chunk: Int, offset: Int) {
        let distance = Int(truncatingIfNeeded: sequence - base)
        return (distance / EntryRing.chunkCount, distance % EntryRing.chunkCount)
    }

    /// Makes `sequence` the last number of the ring unless the ring reaches further; new slots are vacant.
    mutating func extend(to sequence: UInt64) {
        guard sequence >= end else { return }
        let chunksNeeded = Int(sequence - base) / EntryRing.chunkCount + 1
        while chunks.count < chunksNeeded {
            if spare.isEmpty {
                chunks.append(Array(repeating: Slot(), count: EntryRing.chunkCount))
            } else {
                chunks.append(spare)
                spare = []
            }
        }
        end = sequence + 1
    }

    /// Puts an entry at its number, which must be in ``sequences`` and vacant.
    mutating func insert(_ entry: consuming Entry, tags: RepeatIndex.Tags, cost: Int) {
        let sequence = entry.sequence
        let (chunk, offset) = place(sequence)
        precondition(chunks[chunk][offset].state == .vacant, "number \(sequence) has arrived before")
        chunks[chunk][offset].entry = consume entry
        chunks[chunk][offset].tags = tags
        chunks[chunk][offset].cost = Int32(clamping: cost)
        chunks[chunk][offset].state = .retained
    }

    /// Changes an entry in place; the number must be in ``sequences`` and have one.
    mutating func update(_ sequence: UInt64, _ change: (inout Entry) -> Void) {
        let (chunk, offset) = place(sequence)
        guard var entry = chunks[chunk][offset].entry.take() else { preconditionFailure("\(sequence) has no entry") }
        change(&entry)
        chunks[chunk][offset].cost = Int32(clamping: entry.cost)
        chunks[chunk][offset].entry = consume entry
    }

    /// Takes away what is at a number in ``sequences``; nothing comes there any more.
    mutating func clear(_ sequence: UInt64) {
        let (chunk, offset) = place(sequence)
        chunks[chunk][offset].entry = nil
        chunks[chunk][offset].state = .removed
    }

    /// Forgets the first number; the ring must not be empty.
    mutating func removeFirst() {
        let (chunk, offset) = place(first)
        chunks[chunk][offset].entry = nil
        chunks[chunk][offset].state = .vacant
        first += 1
        if Int(first - base) == EntryRing.chunkCount {
            spare = chunks.removeFirst()
            base = first
        }
    }

    /// Goes on at `sequence`; the ring must be empty.
    mutating func jump(to sequence: UInt64) {
        precondition(first == end, "only an empty ring can go on elsewhere")
        self = EntryRing(first: sequence)
    }
}
