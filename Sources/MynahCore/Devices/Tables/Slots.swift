/// An element that can stand in a list of free places.
protocol Slotted: Sendable {
    /// An element that holds nothing, whose ``nextSlot`` is the next free place.
    static func vacant(next: Int32) -> Self
    /// The place of another element.
    var nextSlot: Int32 { get }
}

/// Elements at places that do not move, in chunks, so that growing never copies and never holds twice what it needs.
///
/// Places of removed elements are used again, the last one first.
struct Slots<Element: Slotted>: Sendable {
    /// Elements of a chunk: with 64 shards half of it stands empty in each, which at 70 bytes is a few hundred
    /// kilobytes in all.
    static var chunkCount: Int { 128 }

    private var chunks: [[Element]] = []
    private var free: Int32 = -1
    /// How many places were ever used; no place is beyond.
    private(set) var end: Int32 = 0

    /// No elements.
    init() {}

    /// The element at a place.
    @inline(__always)
    subscript(slot: Int32) -> Element {
        _read { yield chunks[Int(slot) >> 7][Int(slot) & 127] }
        _modify { yield &chunks[Int(slot) >> 7][Int(slot) & 127] }
    }

    /// Puts an element somewhere; answers where.
    mutating func insert(_ element: consuming Element) -> Int32 {
        if free >= 0 {
            let slot = free
            free = self[slot].nextSlot
            self[slot] = element
            return slot
        }
        precondition(end < Int32.max, "a shard of devices is full")
        if Int(end) & (Self.chunkCount - 1) == 0 {
            var chunk: [Element] = []
            chunk.reserveCapacity(Self.chunkCount)
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(element)
        end += 1
        return end - 1
    }

    /// Makes a place free.
    mutating func remove(_ slot: Int32) {
        self[slot] = .vacant(next: free)
        free = slot
    }
}
