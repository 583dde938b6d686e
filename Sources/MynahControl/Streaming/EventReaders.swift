internal import Synchronization

/// The readers of `/v1/events`: how many there are, and what they share.
final class EventReaders: Sendable {
    let rendered = RenderedEventCache()
    let catchUp = CatchUpCache()
    /// The common epoch that aligns the readers' polling intervals.
    let epoch = ContinuousClock.now

    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// Adds a reader, until ``leave()``.
    func enter() { number.add(1, ordering: .relaxed) }

    /// Removes a reader; the last one empties the caches.
    func leave() {
        guard number.subtract(1, ordering: .relaxed).newValue == 0 else { return }
        rendered.removeAll()
        catchUp.removeAll()
    }
}
