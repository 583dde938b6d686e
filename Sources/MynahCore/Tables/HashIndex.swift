/// A hash table from 32 bits of a key's hash, its *tag*, to 32 bits that say where the key is.
///
/// Open addressing with linear probing, 8 bytes an entry; 0 is a free entry, so a tag is never 0. Equal tags do not
/// mean equal keys: a lookup compares with the key itself.
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
        let mask = entries.count - 1
        var position = Int(tag) & mask
        while true {
            let entry = entries[position]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == tag {
                let value = UInt32(truncatingIfNeeded: entry)
                if isKey(value) { return value }
            }
            position = (position + 1) & mask
        }
    }

    /// Adds a key that is not in the table.
    mutating func insert(_ tag: UInt32, _ value: UInt32) {
        if (count + 1) * 4 > entries.count * usedQuartersMax { grow() }
        put(HashIndex.entry(tag, value))
        count += 1
    }

    /// Changes the value of a key that is in the table.
    mutating func replace(_ tag: UInt32, _ value: UInt32, by newValue: UInt32) {
        guard let position = position(tag, value) else { preconditionFailure("a key is not in the index") }
        entries[position] = HashIndex.entry(tag, newValue)
    }

    /// Removes the key with this tag and value, if it is in the table.
    mutating func remove(_ tag: UInt32, _ value: UInt32) {
        guard var hole = position(tag, value) else { return }
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

    private func position(_ tag: UInt32, _ value: UInt32) -> Int? {
        let mask = entries.count - 1
        let wanted = HashIndex.entry(tag, value)
        var position = Int(tag) & mask
        while entries[position] != wanted {
            guard entries[position] != 0 else { return nil }
            position = (position + 1) & mask
        }
        return position
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
