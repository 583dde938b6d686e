internal import MynahCore

/// When the memory that evicted pushes have left in malloc is to be given back to the system.
///
/// Each event loop has an arena of its own in malloc, and memory that was freed there is of no use to another loop.
/// Without this, a full journal would grow by its whole size when its pushes come on a connection of another loop. While
/// all loops evict as much as they append, everything is used again, and nothing is given back.
struct EvictedMemory: Sendable {
    /// The least number of evictions between two looks at the process's memory.
    static let evictionsMin: UInt64 = 1024
    /// The process's memory is checked whenever one of so many parts of the journal's entries was evicted, and may grow
    /// by one of so many parts of the journal's bytes.
    static let parts = 64

    private let growthMax: Int
    private var lastEvicted: UInt64 = 0
    private var nextLook: UInt64 = 1
    // The resident bytes of the process with a full journal; `nil` before the first look.
    private var expected: Int?

    init(_ bounds: JournalBounds) { growthMax = bounds.bytesMax / EvictedMemory.parts }

    /// Whether to check the process's memory, when `evicted` entries were evicted since the start or a reset and `size`
    /// are there: at the first eviction, and then after every part of them.
    mutating func isLookDue(evicted: UInt64, size: Int) -> Bool {
        // A reset sets the counter back.
        if evicted < lastEvicted { nextLook = 1 }
        lastEvicted = evicted
        guard evicted >= nextLook else { return false }
        nextLook = evicted + max(EvictedMemory.evictionsMin, UInt64(size / EvictedMemory.parts))
        return true
    }

    /// Whether the process has grown by more than it may since the first call.
    ///
    /// - Parameter resident: Its resident bytes now.
    mutating func isTooMuch(_ resident: Int) -> Bool {
        let usual = expected ?? resident
        expected = usual
        return resident > usual + growthMax
    }

    /// Records the resident bytes after memory was given back: what is left is in use, for instance by more devices.
    mutating func gaveBack(leaving resident: Int) { expected = max(expected ?? 0, resident) }
}
