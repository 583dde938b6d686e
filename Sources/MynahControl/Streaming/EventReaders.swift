internal import Mynah
internal import MynahCore
internal import Synchronization

/// The readers of `/v1/events`: how many there are, and what they share.
final class EventReaders: Sendable {
    let rendered = RenderedEventCache()
    let catchUp = CatchUpCache()
    /// The common epoch that aligns the readers' polling intervals.
    let epoch = ContinuousClock.now
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }
    func enter() { number.add(1, ordering: .relaxed) }

    /// Removes a reader; the last one empties the caches.
    func leave() {
        guard number.subtract(1, ordering: .relaxed).newValue == 0 else { return }
        catchUp.removeAll()
        if rendered.removeAll() { FreedMemory.giveBack() }
    }
}

/// The oldest pushes of the journal as one reader has just read them, for other readers that have fallen behind too.
///
/// In a flood each reader's position is evicted between two reads. Readers that poll at the same time would then be a few
/// hundred pushes apart, and could not share rendered events. With the same piece, they continue from the same position.
final class CatchUpCache: Sendable {
    struct Piece: Sendable {
        /// The first pushes after a position.
        let pushes: [Entry]
        /// The most that were read; as many may have more after them.
        let limit: Int
        /// Everything up to this number had arrived.
        let watermark: UInt64
        let evictedThrough: UInt64
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

    /// The next piece for a reader at `position`: the cached one if it comes next, otherwise what `read` returns.
    /// - Parameter removalCount: How often pushes have been removed; a piece from before a removal is not used.
    func piece(after position: UInt64, removalCount: UInt64, now: ContinuousClock.Instant, read: () -> Piece) -> Piece {
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

/// The events of recent pushes as bytes, so that each is rendered once for all readers, and again only after a change.
final class RenderedEventCache: Sendable {
    /// The most events that are kept: eight reads of a reader.
    static let countMax = 2048
    /// The longest event that is kept; longer ones are rare, and would take much memory.
    static let bytesMax = 8192

    /// The properties of a push that may still change after it has its number.
    private typealias State = (
        status: Int16?, outcome: Outcome, shown: Bool?, attempt: Int32, repeats: UInt64?, stepCount: Int
    )

    private struct Rendered {
        let sequence: UInt64
        let state: State
        let bytes: [UInt8]
    }

    // By sequence number modulo the capacity.
    private let rendered = Mutex<[Rendered?]>([])

    /// Appends the event of a push, rendered by `write` unless it is cached.
    func append(_ view: PushView, write: (PushView, inout [UInt8]) -> Void, to bytes: inout [UInt8]) {
        let entry = view.entry
        let sequence = entry.sequence
        let state = (entry.status, entry.outcome, entry.shown, entry.attempt, entry.repeats, entry.timeline?.count ?? 0)
        let place = Int(sequence % UInt64(RenderedEventCache.countMax))
        let known = rendered.withLock { $0.isEmpty ? nil : $0[place] }
        if let known, known.sequence == sequence, known.state == state {
            bytes.append(contentsOf: known.bytes)
            return
        }
        let start = bytes.count
        write(view, &bytes)
        guard bytes.count - start <= RenderedEventCache.bytesMax else { return }
        let new = Rendered(sequence: sequence, state: state, bytes: Array(bytes[start...]))
        rendered.withLock { rendered in
            if rendered.isEmpty { rendered = Array(repeating: nil, count: RenderedEventCache.countMax) }
            rendered[place] = new
        }
    }

    /// Returns whether there were any.
    func removeAll() -> Bool {
        rendered.withLock { rendered in
            defer { rendered = [] }
            return !rendered.isEmpty
        }
    }
}
