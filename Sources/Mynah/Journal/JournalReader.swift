package import MynahCore

/// Reads the journal in pieces: each is copied under the lock, filtered and encoded outside of it.
package struct JournalReader: Sendable {
    /// The entries of a piece: about 100 µs under the lock, which a push may have to wait for.
    package static let pieceCount = 1024

    /// The order in which a journal is read; the values are those of the parameter `order`.
    package enum Order: String, CaseIterable, Sendable {
        /// Oldest first.
        case ascending = "asc"
        /// Newest first.
        case descending = "desc"
    }

    package let journal: JournalStore

    package init(journal: JournalStore) { self.journal = journal }

    /// Calls `body` with every entry after `after` up to `last` that may pass a filter, in order; returns how many were
    /// looked at.
    ///
    /// Other tasks run in between, so that long reads don't delay short calls.
    @discardableResult
    package func forEach(
        after: UInt64, through last: UInt64, _ order: Order = .ascending,
        mayPass conditions: EntryPrefilter = EntryPrefilter(), _ body: (Entry) -> Void
    ) async throws(CancellationError) -> Int {
        var pacer = TaskPacer()
        var position = order == .ascending ? after : (last == .max ? last : last + 1)
        var count = 0
        while order == .ascending ? position < last : position > after {
            let edge = position
            let (piece, end) = journal.read { journal in
                func isWanted(_ entry: borrowing Entry) -> Bool {
                    count += 1
                    return conditions.mayPass(entry)
                }
                let limit = JournalReader.pieceCount
                return switch order {
                case .ascending: journal.entries(after: edge, limit: limit, where: isWanted)
                case .descending: journal.entries(before: edge, limit: limit, where: isWanted)
                }
            }
            for entry in piece where entry.sequence > after && entry.sequence <= last {
                body(entry)
                try await pacer.step()
            }
            guard let end else { break }
            position = end
            try await pacer.step()
        }
        return count
    }

    /// The entries after `after` up to `last` that may pass a filter, oldest first.
    package func views(
        after: UInt64, through last: UInt64, mayPass conditions: EntryPrefilter = EntryPrefilter()
    ) async throws(CancellationError) -> [PushView] {
        var views: [PushView] = []
        try await forEach(after: after, through: last, mayPass: conditions) { views.append(PushView($0)) }
        return views
    }
}
