/// The slots of ``count`` sequence numbers in a row: one for each, or once the chunk is packed, one for each that had
/// an entry then.
struct EntryChunk: Sendable {
    // The entry is moved in once and destroyed in place: at its size, each further move would slow an append. What
    // eviction needs to know is stored next to it.
    private struct Slot: Sendable {
        var entry: Entry?
        var cost: Int32 = 0
        var state = EntryRing.State.vacant
    }

    /// Numbers of one chunk; 256 entries are some 60 kB, which malloc serves without asking the kernel.
    static let count = 256
    /// The most entries of a chunk that is worth packing.
    private static let packedMax = count / 2
    private var slots = Array(repeating: Slot(), count: EntryChunk.count)
    // The offsets of a packed chunk's slots, ascending.
    private var offsets: [UInt8]?
    // Numbers that are not vacant, or were forgotten since.
    private var settledCount = 0
    private var retainedCount = 0

    /// Whether the chunk has slots only for the entries that it had when it was packed.
    var isPacked: Bool { offsets != nil }
    var slotCount: Int { slots.count }
    private var isFull: Bool { retainedCount == EntryChunk.count }

    func state(_ offset: Int) -> EntryRing.State { index(of: offset).map { slots[$0].state } ?? .removed }
    // Through a span, because reading from the array would copy the slot with its entry.
    func cost(_ offset: Int) -> Int { Int(slots.span[retainedIndex(of: offset)].cost) }

    /// Reads from an entry in place, without copying it.
    @inline(__always)
    func peek<Value>(_ offset: Int, _ member: (borrowing Entry) -> Value) -> Value? {
        guard let index = index(of: offset) else { return nil }
        return slots[index].entry.map { member($0) }
    }

    func nextRetained(from offset: Int) -> Int? {
        // Most chunks are full and need not be searched.
        guard retainedCount > 0, !isFull else { return isFull ? offset : nil }
        return (firstIndex(from: offset)..<slots.count).first { slots[$0].state == .retained }.map(self.offset(of:))
    }

    func lastRetained(through offset: Int) -> Int? {
        guard retainedCount > 0, !isFull else { return isFull ? offset : nil }
        return (0..<firstIndex(from: offset + 1)).last { slots[$0].state == .retained }.map(self.offset(of:))
    }

    func retainedCount(from offset: Int) -> Int {
        guard offset > 0 else { return retainedCount }
        guard !isFull else { return EntryChunk.count - offset }
        return slots[firstIndex(from: offset)...].count { $0.state == .retained }
    }

    mutating func insert(_ entry: consuming Entry, cost: Int, at offset: Int) {
        precondition(!isPacked && slots[offset].state == .vacant, "a number has arrived before")
        slots[offset].entry = consume entry
        slots[offset].cost = Int32(clamping: cost)
        slots[offset].state = .retained
        retainedCount += 1
        settledCount += 1
        if settledCount == EntryChunk.count { packIfWorthIt() }
    }

    mutating func update(_ offset: Int, _ change: (inout Entry) -> Void) {
        let index = retainedIndex(of: offset)
        guard var entry = slots[index].entry.take() else { preconditionFailure("a retained slot has no entry") }
        change(&entry)
        slots[index].cost = Int32(clamping: entry.cost)
        slots[index].entry = consume entry
    }

    /// Removes the entry, if there is one; its number is not used again.
    mutating func clear(_ offset: Int) {
        guard let index = index(of: offset), slots[index].state != .removed else { return }
        if slots[index].state == .vacant { settledCount += 1 } else { retainedCount -= 1 }
        slots[index].entry = nil
        slots[index].state = .removed
        if settledCount == EntryChunk.count { packIfWorthIt() }
    }

    /// Removes the entry, if there is one, and makes its slot ready for another number: a chunk whose slots are all
    /// forgotten is like a new one, unless it is packed.
    mutating func forget(_ offset: Int) {
        guard let index = index(of: offset) else { return }
        if slots[index].state == .retained { retainedCount -= 1 }
        if slots[index].state != .vacant { settledCount -= 1 }
        slots[index].entry = nil
        slots[index].state = isPacked ? .removed : .vacant
    }

    private mutating func packIfWorthIt() {
        guard retainedCount <= (isPacked ? slots.count / 2 : EntryChunk.packedMax), !slots.isEmpty else { return }
        let retained = slots.indices.filter { slots[$0].state == .retained }
        offsets = retained.map { UInt8(offset(of: $0)) }
        slots = retained.map { slots[$0] }
    }

    // The index of an offset's slot; `nil` if it had no entry when the chunk was packed.
    private func index(of offset: Int) -> Int? {
        guard let offsets else { return offset }
        let index = firstIndex(from: offset)
        return index < offsets.count && Int(offsets[index]) == offset ? index : nil
    }

    private func retainedIndex(of offset: Int) -> Int {
        guard let index = index(of: offset), slots[index].state == .retained else {
            preconditionFailure("there is no entry at \(offset)")
        }
        return index
    }

    // The index of the first slot at or after an offset.
    private func firstIndex(from offset: Int) -> Int { offsets?.firstIndexInOrder { Int($0) >= offset } ?? offset }
    private func offset(of index: Int) -> Int { offsets.map { Int($0[index]) } ?? index }
}
