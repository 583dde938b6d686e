/// Which entries of a journal were changed lately, so that whoever has read them need not read all of them again.
///
/// Changes are counted; who asks says up to which count they know. A removal can't be told so, nor what is too long ago.
package struct RecentChanges: Sendable {
    /// The most changes that are remembered.
    package static let countMax = 4096

    /// How many changes there have been.
    package private(set) var count: UInt64 = 0
    // The newest changes, each at its count's remainder.
    private var sequences: [UInt64] = []
    // How many of the first can't be told any more.
    private var forgotten: UInt64 = 0

    /// Notes that an entry is another than it was.
    mutating func note(_ sequence: UInt64) {
        let place = Int(count % UInt64(RecentChanges.countMax))
        if place < sequences.count { sequences[place] = sequence } else { sequences.append(sequence) }
        count += 1
        forgotten = max(forgotten, count > UInt64(sequences.count) ? count - UInt64(sequences.count) : 0)
    }

    /// Notes a change after which everything must be read again.
    mutating func noteRemoval() {
        sequences.removeAll(keepingCapacity: true)
        // The next change has the first place.
        count = (count / UInt64(RecentChanges.countMax) + 1) * UInt64(RecentChanges.countMax)
        forgotten = count
    }

    /// The numbers of what was changed after the first `known` changes, in any order, some perhaps twice; `nil` when
    /// everything must be read again.
    package func sequences(since known: UInt64) -> [UInt64]? {
        guard forgotten...count ~= known else { return nil }
        return (known..<count).map { sequences[Int($0 % UInt64(RecentChanges.countMax))] }
    }
}
