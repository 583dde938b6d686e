internal import Synchronization

/// Numbers that a process gives out before what they name comes in the order of changes; another process that goes on
/// with the order gives out higher ones.
final class OrderedNumbers: Sendable {
    /// The highest number that is recorded: far more than processes give out, and the numbers above it can be counted.
    static let numberMax: UInt64 = 1 << 62
    private let taken = Atomic<UInt64>(0)
    private let used = Atomic<UInt64>(0)

    func take() -> UInt64 { taken.add(1, ordering: .relaxed).newValue }

    /// Records a number that a change in the order has used.
    func recordUsed(_ number: UInt64) {
        guard number <= OrderedNumbers.numberMax else { return }
        taken.max(number, ordering: .relaxed)
        used.max(number, ordering: .relaxed)
    }

    /// The highest number that an applied batch has named; 0 before the first.
    var highest: UInt64 { used.load(ordering: .relaxed) }
}
