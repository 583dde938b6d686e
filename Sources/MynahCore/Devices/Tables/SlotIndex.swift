/// Finds the place of a key by one probe into a table.
///
/// Open addressing with linear probing. An entry is 8 bytes: 32 bits of the key's hash, its *tag*, and the place
/// plus one; 0 is a free entry. Equal tags do not mean equal keys: whoever looks up compares at the place.
struct SlotIndex: Sendable {
    private var entries: [UInt64]
    /// The number of keys.
    private(set) var count = 0

    /// A table without keys.
    init() {
        entries = Array(repeating: 0, count: 16)
    }

    /// The tag of a 64-bit hash: the high half, because the low bits choose the shard and are the same for all here.
    @inline(__always)
    static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    /// The place with this tag for which `isSame` holds, or `nil`.
    @inline(__always)
    func find(_ tag: UInt32, _ isSame: (Int32) -> Bool) -> Int32? {
        let mask = entries.count - 1
        var position = Int(tag) & mask
        while true {
            let entry = entries[position]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == tag {
                let slot = Int32(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1
                if isSame(slot) { return slot }
            }
            position = (position + 1) & mask
        }
    }

    /// Adds a key that is not there.
    mutating func insert(_ tag: UInt32, _ slot: Int32) {
        if (count + 1) * 4 > entries.count * 3 { grow() }
        put(SlotIndex.entry(tag, slot))
        count += 1
    }

    /// Removes a key that is there.
    mutating func remove(_ tag: UInt32, _ slot: Int32) {
        let mask = entries.count - 1
        let wanted = SlotIndex.entry(tag, slot)
        var hole = Int(tag) & mask
        while entries[hole] != wanted {
            precondition(entries[hole] != 0, "a key that is not in the index was removed")
            hole = (hole + 1) & mask
        }
        // Later entries of the run move up, unless that took them before the place their tag asks for.
        var position = (hole + 1) & mask
        while entries[position] != 0 {
            let home = Int(entries[position] >> 32) & mask
            if (position - home) & mask >= (position - hole) & mask {
                entries[hole] = entries[position]
                hole = position
            }
            position = (position + 1) & mask
        }
        entries[hole] = 0
        count -= 1
    }

    private static func entry(_ tag: UInt32, _ slot: Int32) -> UInt64 {
        UInt64(tag) << 32 | UInt64(UInt32(slot + 1))
    }

    private mutating func put(_ entry: UInt64) {
        let mask = entries.count - 1
        var position = Int(entry >> 32) & mask
        while entries[position] != 0 { position = (position + 1) & mask }
        entries[position] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { put(entry) }
    }
}
