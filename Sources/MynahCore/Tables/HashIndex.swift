/// A hash table from 32 bits of a key's hash, its *tag*, to 32 bits that say where the key is.
///
/// Open addressing with linear probing, 8 bytes an entry; 0 is a free entry, so a tag is never 0. Different keys may
/// have equal tags, so a lookup compares the key itself.
struct HashIndex: Sendable {
    private var entries: [UInt64]
    private let usedQuartersMax: Int
    private(set) var count = 0

    /// Makes an empty table, which grows when more than `usedQuartersMax` quarters of its entries are used.
    init(capacity: Int, usedQuartersMax: Int) {
        entries = Array(repeating: 0, count: capacity)
        self.usedQuartersMax = usedQuartersMax
    }

    /// The tag of a 64-bit hash: its high half, because the low bits of a token choose its shard.
    @inline(__always)
    static func tag(_ hash: UInt64) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash >> 32)) }

    @inline(__always)
    func find(_ tag: UInt32, where isKey: (UInt32) -> Bool) -> UInt32? {
        let entry = entries[position(of: tag, where: isKey)]
        return entry == 0 ? nil : UInt32(truncatingIfNeeded: entry)
    }

    /// Adds a key that is not in the table.
    mutating func insert(_ tag: UInt32, _ value: UInt32) {
        if (count + 1) * 4 > entries.count * usedQuartersMax { grow() }
        put(HashIndex.entry(tag, value))
        count += 1
    }

    /// Changes the value of a key that is in the table.
    mutating func replace(_ tag: UInt32, _ value: UInt32, by newValue: UInt32) {
        let position = position(of: tag) { $0 == value }
        precondition(entries[position] != 0, "a key is not in the index")
        entries[position] = HashIndex.entry(tag, newValue)
    }

    /// Removes the key with this tag and value, if it is in the table.
    mutating func remove(_ tag: UInt32, _ value: UInt32) {
        var hole = position(of: tag) { $0 == value }
        guard entries[hole] != 0 else { return }
        // Later entries of the run move up, unless that put them before the position their tag asks for.
        let mask = entries.count - 1
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

    var keys: [(tag: UInt32, value: UInt32)] {
        entries.filter { $0 != 0 }.map { (UInt32(truncatingIfNeeded: $0 >> 32), UInt32(truncatingIfNeeded: $0)) }
    }

    @inline(__always)
    private static func entry(_ tag: UInt32, _ value: UInt32) -> UInt64 { UInt64(tag) << 32 | UInt64(value) }

    /// The position of the entry with a tag whose value meets a condition, or of the free one where it would be put.
    @inline(__always)
    private func position(of tag: UInt32, where isKey: (UInt32) -> Bool) -> Int {
        let mask = entries.count - 1
        var position = Int(tag) & mask
        while true {
            let entry = entries[position]
            if entry == 0 { return position }
            if UInt32(truncatingIfNeeded: entry >> 32) == tag, isKey(UInt32(truncatingIfNeeded: entry)) {
                return position
            }
            position = (position + 1) & mask
        }
    }

    private mutating func put(_ entry: UInt64) {
        entries[position(of: UInt32(truncatingIfNeeded: entry >> 32)) { _ in false }] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { put(entry) }
    }
}
