package import MynahCore

/// Reads the journal in pieces: each is copied under the lock, filtered and encoded outside of it.
package struct JournalReader: Sendable {
    /// Entries of a piece: some 100 µs under the lock, which a push may have to wait for.
    package static let pieceCount = 1024

    /// The order in which a journal is read; the values are those of the parameter `order`.
    package enum Order: String, CaseIterable, Sendable {
        /// Oldest first.
        case ascending = "asc"
        /// Newest first.
        case descending = "desc"
    }

    /// The journal.
    package let journal: JournalStore

    /// A reader of a journal.
    package init(journal: JournalStore) { self.journal = journal }

    /// Calls `body` with every entry behind `after` up to `last`, in order, until it says stop.
    ///
    /// - Throws: `CancellationError` when the task is cancelled between two pieces.
    package func forEach(
        after: UInt64, through last: UInt64, _ order: Order, _ body: (Entry) -> Continuation
    ) throws(CancellationError) {
        switch order {
        case .ascending:
            var position = after
            while position < last {
                let start = position
                let piece = journal.read { $0.entries(after: start, limit: JournalReader.pieceCount) }
                for entry in piece where entry.sequence <= last {
                    if case .stop = body(entry) { return }
                }
                guard let end = piece.last?.sequence else { return }
                position = end
                if Task.isCancelled { throw CancellationError() }
            }
        case .descending:
            var position = last == .max ? last : last + 1
            while position > after {
                let start = position
                let piece = journal.read { $0.entries(before: start, limit: JournalReader.pieceCount) }
                for entry in piece {
                    guard entry.sequence > after else { return }
                    if case .stop = body(entry) { return }
                }
                guard let end = piece.last?.sequence else { return }
                position = end
                if Task.isCancelled { throw CancellationError() }
            }
        }
    }

    /// Calls `body` with every entry behind `after` up to `last` that may pass a filter, oldest first; answers how many
    /// were looked at.
    ///
    /// - Throws: `CancellationError` when the task is cancelled between two pieces.
    package func forEach(
        after: UInt64, through last: UInt64, mayPass conditions: OpenConditions, _ body: (Entry) -> Void
    ) throws(CancellationError) -> Int {
        var position = after
        var count = 0
        while position < last {
            let start = position
            let (piece, end) = journal.read { journal in
                journal.entries(after: start, limit: JournalReader.pieceCount) { entry in
                    count += 1
                    return conditions.mayPass(entry)
                }
            }
            for entry in piece where entry.sequence <= last { body(entry) }
            guard let end else { break }
            position = end
            if Task.isCancelled { throw CancellationError() }
        }
        return count
    }

    /// Every entry behind `after` up to `last` that `isWanted`, decoded, oldest first.
    package func views(
        after: UInt64, through last: UInt64, where isWanted: (borrowing Entry) -> Bool = { _ in true }
    ) throws(CancellationError) -> [PushView] {
        var views: [PushView] = []
        try forEach(after: after, through: last, .ascending) { entry in
            if isWanted(entry) { views.append(PushView(entry)) }
            return .next
        }
        return views
    }

    /// Whether to go on.
    package enum Continuation {
        /// With the next entry.
        case next
        /// No more.
        case stop
    }
}
