internal import APNsRules

/// Finds the newest entry with an `apns-id`, or with a token and body, by one probe into a table.
///
/// Open addressing with linear probing. A slot is 8 bytes: 32 bits of a fingerprint, its *tag*, and the low
/// 32 bits of the sequence number, which suffice because the ring never spans 2³² numbers. Equal tags
/// do not mean equal keys: whoever looks up compares with the entry itself.
struct RepeatIndex: Sendable {
    /// The tags under which one entry may be in the table; 0 is none.
    struct Tags: Sendable, Equatable {
        /// Of its `apns-id`.
        var id: UInt32
        /// Of its token and body, when it was sent without an `apns-id`.
        var content: UInt32
    }

    /// How many entries with one tag but different keys are told apart.
    ///
    /// Bodies to one token that differ only in bytes that ``sampleCount`` leaves out share a tag; a bound
    /// keeps such a run from making every append slow. Beyond it the count of attempts may begin anew.
    private static let sameTagMax = 16

    /// The most bytes of a body that a fingerprint reads, evenly spread; a body of 4096 bytes read whole
    /// would cost more than the rest of an append.
    private static let sampleCount = 128

    private var slots: [UInt64]
    /// The number of keys in the table.
    private(set) var count = 0

    /// A table without keys.
    init() {
        slots = Array(repeating: 0, count: 64)
    }

    // MARK: - Fingerprints

    /// The tags of an entry.
    static func tags(of entry: borrowing Entry) -> Tags {
        Tags(id: tag(of: entry.notificationID), content: entry.hasOwnID ? 0 : contentTag(of: entry))
    }

    /// The tag of an `apns-id`.
    static func tag(of id: NotificationID) -> UInt32 {
        let value = id.value
        let low = UInt64(truncatingIfNeeded: value) &* 0x9e37_79b9_7f4a_7c15
        let high = UInt64(truncatingIfNeeded: value >> 64) &* 0xff51_afd7_ed55_8ccd
        return fold(low ^ high ^ high >> 29)
    }

    private static func contentTag(of entry: borrowing Entry) -> UInt32 {
        guard let token = entry.token else { return 0 }
        let bytes = entry.bytes.span
        let start = Int(entry.headerByteCount)
        let count = bytes.count - start
        let step = max(1, count / sampleCount)
        var even = token.spread ^ UInt64(count)
        var odd: UInt64 = 0xcbf2_9ce4_8422_2325
        // From the end: payloads of one provider mostly begin alike. Two chains, so that one multiplication
        // does not wait for the other.
        var position = bytes.count - 1
        while position - step >= start {
            even = (even ^ UInt64(bytes[position])) &* 0x100_0000_01b3
            odd = (odd ^ UInt64(bytes[position - step])) &* 0x100_0000_01b3
            position -= 2 * step
        }
        if position >= start { even = (even ^ UInt64(bytes[position])) &* 0x100_0000_01b3 }
        return fold((even ^ odd &* 0x9e37_79b9_7f4a_7c15) &* 0xc4ce_b9fe_1a85_ec53)
    }

    private static func fold(_ value: UInt64) -> UInt32 {
        let mixed = (value ^ value >> 32) &* 0xff51_afd7_ed55_8ccd
        return max(1, UInt32(truncatingIfNeeded: mixed >> 32))
    }

    // MARK: - The table

    /// The position of the key with this tag for which `isKey`, given the low bits of a sequence number, says
    /// yes; `nil` when there is none.
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

    /// The low bits of the sequence number at a position that ``find(_:where:)`` gave.
    func sequence(at position: Int) -> UInt32 { UInt32(truncatingIfNeeded: slots[position]) }

    /// Points the key at a position to another entry.
    mutating func point(_ position: Int, to sequence: UInt32) {
        slots[position] = slots[position] & 0xFFFF_FFFF_0000_0000 | UInt64(sequence)
    }

    /// Adds a key that is not in the table, in place of the first of its tag when there are too many.
    mutating func insert(_ tag: UInt32, _ sequence: UInt32) {
        if (count + 1) * 2 > slots.count { grow() }
        let mask = slots.count - 1
        var position = Int(tag) & mask
        var firstOfTag = -1
        var sameTag = 0
        while slots[position] != 0 {
            if UInt32(truncatingIfNeeded: slots[position] >> 32) == tag {
                if firstOfTag < 0 { firstOfTag = position }
                sameTag += 1
            }
            position = (position + 1) & mask
        }
        if sameTag >= RepeatIndex.sameTagMax {
            position = firstOfTag
        } else {
            count += 1
        }
        slots[position] = UInt64(tag) << 32 | UInt64(sequence)
    }

    /// Removes the key with this tag that points to this entry, if there is one.
    mutating func remove(_ tag: UInt32, _ sequence: UInt32) {
        guard tag != 0, var hole = find(tag, where: { $0 == sequence }) else { return }
        // Keys behind the hole that belong at or before it move up, so that no search stops early.
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
        let mask = slots.count - 1
        for slot in old where slot != 0 {
            var position = Int(UInt32(truncatingIfNeeded: slot >> 32)) & mask
            while slots[position] != 0 { position = (position + 1) & mask }
            slots[position] = slot
        }
    }

    /// All keys, for the invariants.
    var keys: [(tag: UInt32, sequence: UInt32)] {
        slots.filter { $0 != 0 }.map { (UInt32(truncatingIfNeeded: $0 >> 32), UInt32(truncatingIfNeeded: $0)) }
    }
}
