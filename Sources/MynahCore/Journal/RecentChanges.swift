/// The latest changes of a journal's entries: a reader that remembers the ``count`` up to which it knows them reads
/// everything again only after a removal or too many changes.
package struct RecentChanges: Sendable {
    package static let countMax = 4096
    package private(set) var count: UInt64 = 0
    // The newest changes, each at the remainder of its count.
    private var sequences: [UInt64] = []
    // How many of the oldest changes are no longer remembered.
    private var forgotten: UInt64 = 0

    mutating func record(_ sequence: UInt64) {
        let place = Int(count % UInt64(RecentChanges.countMax))
        if place < sequences.count { sequences[place] = sequence } else { sequences.append(sequence) }
        count += 1
        forgotten = max(forgotten, count > UInt64(sequences.count) ? count - UInt64(sequences.count) : 0)
    }

    /// Records a removal, after which everything must be read again.
    mutating func recordRemoval() {
        sequences.removeAll(keepingCapacity: true)
        // The next change has the first place.
        count = (count / UInt64(RecentChanges.countMax) + 1) * UInt64(RecentChanges.countMax)
        forgotten = count
    }

    /// The numbers of entries changed after the first `known` changes, in any order, some perhaps twice; `nil` if
    /// everything must be read again.
    package func sequences(since known: UInt64) -> [UInt64]? {
        guard forgotten...count ~= known else { return nil }
        return (known..<count).map { sequences[Int($0 % UInt64(RecentChanges.countMax))] }
    }
}
