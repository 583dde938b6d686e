internal import APNsRules

/// Finds the newest entry with an `apns-id` by one probe into a table.
///
/// Open addressing with linear probing. A slot is 8 bytes: 32 bits of the id's hash, its *tag*, and the low 32 bits of the
/// sequence number, which suffice because the ring never spans 2³² numbers. Equal tags do not mean equal ids: the
/// caller compares with the entry itself.
struct NotificationIDIndex: Sendable {
    private var slots: [UInt64]
    /// The number of keys in the table.
    private(set) var count = 0

    /// A table without keys.
    init() {
        slots = Array(repeating: 0, count: 64)
    }

    /// The tag of an `apns-id`, never 0.
    static func tag(of id: NotificationID) -> UInt32 {
        let value = id.value
        let low = UInt64(truncatingIfNeeded: value) &* 0x9e37_79b9_7f4a_7c15
        let high = UInt64(truncatingIfNeeded: value >> 64) &* 0xff51_afd7_ed55_8ccd
        let word = low ^ high ^ high >> 29
        let mixed = (word ^ word >> 32) &* 0xff51_afd7_ed55_8ccd
        return max(1, UInt32(truncatingIfNeeded: mixed >> 32))
    }

    // MARK: - The table

    /// The position of the key with this tag for which `isKey` holds of the low bits of its sequence number, or `nil`.
    func find(_ tag: UInt32, where isKey: (UInt32) -> Bool) -> Int? {
        let mask = slots.count - 1
        var position = Int(tag) & mask
        while slots[position] != 0 {
            if UInt32(truncatingIfNeeded: slots[position] >> 32) == tag,
                isKey(UInt32(truncatingIfNeeded: slots[position]))
            {
                return position
            }
            position = (position + 1) & mask
        }
        return nil
    }

    /// Points the key at a position to another entry.
    mutating func point(_ position: Int, to sequence: UInt32) {
        slots[position] = slots[position] & 0xFFFF_FFFF_0000_0000 | UInt64(sequence)
    }

    /// Adds a key that is not in the table.
    mutating func insert(_ tag: UInt32, _ sequence: UInt32) {
        if (count + 1) * 2 > slots.count { grow() }
        place(UInt64(tag) << 32 | UInt64(sequence))
        count += 1
    }

    private mutating func place(_ slot: UInt64) {
        let mask = slots.count - 1
        var position = Int(slot >> 32) & mask
        while slots[position] != 0 { position = (position + 1) & mask }
        slots[position] = slot
    }

    /// Removes the key with this tag that points to this entry, if there is one.
    mutating func remove(_ tag: UInt32, _ sequence: UInt32) {
        guard var hole = find(tag, where: { $0 == sequence }) else { return }
        // Keys after the hole that belong at or before it move up, so that no search stops early.
        let mask = slots.count - 1
        var position = (hole + 1) & mask
        while slots[position] != 0 {
            let home = Int(UInt32(truncatingIfNeeded: slots[position] >> 32)) & mask
            if (position &- home) & mask >= (position &- hole) & mask {
                slots[hole] = slots[position]
                hole = position
            }
            position = (position + 1) & mask
        }
        slots[hole] = 0
        count -= 1
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        for slot in old where slot != 0 { place(slot) }
    }

    /// All keys, for the invariants.
    var keys: [(tag: UInt32, sequence: UInt32)] {
        slots.filter { $0 != 0 }.map { (UInt32(truncatingIfNeeded: $0 >> 32), UInt32(truncatingIfNeeded: $0)) }
    }
}
