internal import MynahCore
internal import Synchronization

/// The oldest pushes of the journal as one reader has just read them, for other readers that have fallen behind too.
///
/// In a flood each reader's position is evicted between two reads. Readers that poll at the same time would find
/// themselves a few hundred pushes apart, and could not share rendered events. Given the same piece, they continue from
/// the same position.
final class CatchUpCache: Sendable {
    /// A piece of the journal, as it was at one moment.
    struct Piece: Sendable {
        /// The first pushes after a position.
        let pushes: [Entry]
        /// Everything up to this number had arrived.
        let watermark: UInt64
        /// The highest number that had been evicted.
        let evictedThrough: UInt64
        /// How often pushes had been removed.
        let removalCount: UInt64
        /// Whether the journal held nothing older than ``pushes``.
        let isOldest: Bool

        /// Whether a reader at `position` would read just this, and more after it.
        func isNext(after position: UInt64) -> Bool {
            guard isOldest, let first = pushes.first, let last = pushes.last else { return false }
            return position < first.sequence && position < evictedThrough && last.sequence < watermark
        }
    }

    /// How long a piece is shared: readers that poll at the same time read within some milliseconds.
    static let validity: Duration = .milliseconds(100)

    private let newest = Mutex<(piece: Piece, readAt: ContinuousClock.Instant)?>(nil)

    /// The next piece for a reader at `position`: the cached one if it is the right one, otherwise what `read` returns.
    ///
    /// - Parameter removalCount: How often pushes have been removed; an older piece is not used.
    func piece(
        after position: UInt64, removalCount: UInt64, now: ContinuousClock.Instant, read: () -> Piece
    ) -> Piece {
        if let known = newest.withLock({ $0 }), known.readAt.duration(to: now) <= CatchUpCache.validity,
            known.piece.removalCount == removalCount, known.piece.isNext(after: position)
        {
            return known.piece
        }
        let piece = read()
        if piece.isNext(after: position) { newest.withLock { $0 = (piece, now) } }
        return piece
    }

    func removeAll() { newest.withLock { $0 = nil } }
}
