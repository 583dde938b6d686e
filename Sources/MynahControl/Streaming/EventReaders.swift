internal import Synchronization

/// The readers of events: how many there are, and what they share.
final class EventReaders: Sendable {
    /// What one has written and others want as well.
    let pushes = RenderedPushes()
    /// What one has found at the journal's end, and others that are behind it want as well.
    let oldest = OldestPushes()
    /// The moment from which the rests of all are counted.
    let start = ContinuousClock.now

    private let number = Atomic<Int>(0)

    /// How many there are now.
    var count: Int { number.load(ordering: .relaxed) }

    /// One more, until ``leave()``.
    func enter() { number.add(1, ordering: .relaxed) }

    /// One less.
    func leave() {
        guard number.subtract(1, ordering: .relaxed).newValue == 0 else { return }
        pushes.removeAll()
        oldest.removeAll()
    }
}
