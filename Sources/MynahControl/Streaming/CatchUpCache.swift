internal import MynahCore
internal import Synchronization

/// The oldest pushes of the journal as one reader has just found them, for others that have fallen behind them too.
///
/// In a flood each reader's place is evicted between two of its looks. Those who look at the same moment would find
/// themselves a few hundred pushes apart, and nothing that one has written would be what the next one needs. With the
/// same piece they go on from the same place.
final class OldestPushes: Sendable {
    /// A piece of the journal, as it was at one moment.
    struct Piece: Sendable {
        /// The first pushes behind a number.
        let pushes: [Entry]
        /// Everything up to this number had arrived.
        let watermark: UInt64
        /// The highest number that had been evicted.
        let evictedThrough: UInt64
        /// How often pushes had been removed.
        let removalCount: UInt64
        /// Whether there was nothing older than ``pushes``.
        let isOldest: Bool

        /// Whether a reader that has everything up to `position` would have been given just this, with more behind it.
        func isNext(behind position: UInt64) -> Bool {
            guard isOldest, let first = pushes.first, let last = pushes.last else { return false }
            return position < first.sequence && position < evictedThrough && last.sequence < watermark
        }
    }

    /// So long a piece is good for others: those who rest together look within some milliseconds.
    static let validity: Duration = .milliseconds(100)

    private let newest = Mutex<(piece: Piece, readAt: ContinuousClock.Instant)?>(nil)

    /// What a reader gets that has everything up to `position`: what another one has just been given, where that is the
    /// same, or what `read` finds.
    ///
    /// - Parameter removalCount: How often pushes have been removed: what was read before the last removal is not given.
    func piece(
        behind position: UInt64, removalCount: UInt64, now: ContinuousClock.Instant, read: () -> Piece
    ) -> Piece {
        if let known = newest.withLock({ $0 }), known.readAt.duration(to: now) <= OldestPushes.validity,
            known.piece.removalCount == removalCount, known.piece.isNext(behind: position)
        {
            return known.piece
        }
        let piece = read()
        if piece.isNext(behind: position) { newest.withLock { $0 = (piece, now) } }
        return piece
    }

    /// Forgets it, when the last reader has gone.
    func removeAll() { newest.withLock { $0 = nil } }
}
