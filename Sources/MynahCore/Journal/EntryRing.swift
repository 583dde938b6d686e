/// The retained entries by sequence number: a run of slots that grows at its end and shrinks at its front.
///
/// Slots lie in chunks, so that growing never copies what is there, and a chunk that has run empty at the
/// front is used again at the end: a full journal allocates nothing for its slots.
struct EntryRing: Sendable {
    /// What is known of one sequence number.
    enum Slot: Sendable {
        /// Taken by a push that has not arrived yet, or not taken yet.
        case vacant
        /// Arrived and removed since, or never to arrive.
        case removed
        /// Here, with the keys under which the index may know it.
        case entry(Entry, RepeatIndex.Tags)
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

    /// The slot of a number in ``sequences``.
    subscript(sequence: UInt64) -> Slot {
        let offset = Int(sequence - base)
        return chunks[offset / EntryRing.chunkCount][offset % EntryRing.chunkCount]
    }

    /// The entry of a number, or `nil` when the number is not in the ring or has none.
    func entry(_ sequence: UInt64) -> Entry? {
        guard sequence >= first, sequence < end, case .entry(let entry, _) = self[sequence] else { return nil }
        return entry
    }

    /// Whether a number in ``sequences`` is still awaited.
    func isVacant(_ sequence: UInt64) -> Bool {
        let offset = Int(sequence - base)
        if case .vacant = chunks[offset / EntryRing.chunkCount][offset % EntryRing.chunkCount] { return true }
        return false
    }

    /// Makes `sequence` the last number of the ring unless the ring reaches further; new slots are vacant.
    mutating func extend(to sequence: UInt64) {
        guard sequence >= end else { return }
        let chunksNeeded = Int(sequence - base) / EntryRing.chunkCount + 1
        while chunks.count < chunksNeeded {
            if spare.isEmpty {
                chunks.append(Array(repeating: .vacant, count: EntryRing.chunkCount))
            } else {
                chunks.append(spare)
                spare = []
            }
        }
        end = sequence + 1
    }

    /// Puts `slot` where the number in ``sequences`` is and gives back what was there.
    @discardableResult
    mutating func exchange(_ sequence: UInt64, _ slot: consuming Slot) -> Slot {
        let offset = Int(sequence - base)
        var other = slot
        swap(&chunks[offset / EntryRing.chunkCount][offset % EntryRing.chunkCount], &other)
        return other
    }

    /// Forgets the first number; the ring must not be empty.
    @discardableResult
    mutating func removeFirst() -> Slot {
        let slot = exchange(first, .vacant)
        first += 1
        if Int(first - base) == EntryRing.chunkCount {
            spare = chunks.removeFirst()
            base = first
        }
        return slot
    }

    /// Goes on at `sequence`; the ring must be empty.
    mutating func jump(to sequence: UInt64) {
        precondition(first == end, "only an empty ring can go on elsewhere")
        self = EntryRing(first: sequence)
    }
}
