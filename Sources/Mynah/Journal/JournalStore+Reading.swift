package import MynahCore
internal import Synchronization

/// Reading in pieces: each is copied under the lock, filtered and encoded outside of it.
extension JournalStore {
    /// The entries of a piece: about 100 µs under the lock, which a push may have to wait for.
    package static let pieceCount = 1024

    package enum Order: String, CaseIterable, Sendable {
        case ascending = "asc"
        case descending = "desc"
    }

    /// Calls `body` with every entry after `after` up to `last` that may pass a filter, and lets other tasks run in
    /// between, so that long reads don't delay short calls.
    /// - Parameter copiesWanted: Whether `body` needs the entry with a number; one that passes for certain is else only
    ///   counted.
    /// - Returns: How many were read, and how many only counted.
    @discardableResult
    package func forEach(
        after: UInt64, through last: UInt64, _ order: Order = .ascending,
        mayPass conditions: EntryPrefilter = EntryPrefilter(), copiesWanted: (UInt64) -> Bool = { _ in true },
        _ body: (Entry) -> Void
    ) async throws(CancellationError) -> (read: Int, countedOnly: Int) {
        var pacer = TaskPacer()
        var position = order == .ascending ? after : (last == .max ? last : last + 1)
        var count = (read: 0, countedOnly: 0)
        let range = after &+ 1...max(after &+ 1, last)
        while order == .ascending ? position < last : position > after {
            let edge = position
            let piece = read { journal in
                let limit = JournalStore.pieceCount
                // What is out of range is read to be left out.
                let isCopied = { !range.contains($0) || copiesWanted($0) }
                return switch order {
                case .ascending:
                    journal.entries(after: edge, limit: limit, mayPass: conditions, copiesWanted: isCopied)
                case .descending:
                    journal.entries(before: edge, limit: limit, mayPass: conditions, copiesWanted: isCopied)
                }
            }
            lookedAt.add(piece.count, ordering: .relaxed)
            count.read += piece.count
            count.countedOnly += piece.countedOnly
            for entry in piece.entries where range.contains(entry.sequence) {
                if conditions.mayHaveTexts(entry) { body(entry) }
                try await pacer.step()
            }
            guard let end = piece.last else { break }
            position = end
            try await pacer.step()
        }
        return count
    }

    /// The numbers of the entries that pass a filter, found without giving up the thread.
    func sequences(where filter: Filter) -> [UInt64] {
        let conditions = EntryPrefilter(filter)
        let last = read { $0.watermark }
        var sequences: [UInt64] = []
        var position: UInt64 = 0
        while position < last {
            let piece = read { [position] journal in
                journal.entries(after: position, limit: JournalStore.pieceCount, mayPass: conditions)
            }
            for entry in piece.entries where conditions.mayHaveTexts(entry) && filter.matches(PushView(entry)) {
                sequences.append(entry.sequence)
            }
            guard let end = piece.last else { break }
            position = end
        }
        return sequences
    }

    package func views(
        after: UInt64, through last: UInt64, mayPass conditions: EntryPrefilter = EntryPrefilter()
    ) async throws(CancellationError) -> [PushView] {
        var views: [PushView] = []
        try await forEach(after: after, through: last, mayPass: conditions) { views.append(PushView($0)) }
        return views
    }

    /// The newest entries in a range that may pass a filter, at most `count`, the newest first.
    package func newest(
        _ count: Int, after: UInt64, through last: UInt64, mayPass conditions: EntryPrefilter
    ) async throws(CancellationError) -> [Entry] {
        var pacer = TaskPacer()
        var found: [Entry] = []
        var edge = last == .max ? last : last + 1
        while found.count < count, edge > after + 1 {
            let piece = read { [edge] in
                $0.entries(before: edge, limit: JournalStore.pieceCount, mayPass: conditions)
            }
            lookedAt.add(piece.count, ordering: .relaxed)
            found += piece.entries.lazy.filter { $0.sequence > after }.prefix(count - found.count)
            guard let end = piece.last else { break }
            edge = end
            try await pacer.step()
        }
        return found
    }
}

/// The wanted entries after a number, kept up to date after almost every push by reading only what is new or changed.
package struct JournalFollower<Kept> {
    private let journal: JournalStore
    private let after: UInt64
    private let conditions: EntryPrefilter
    private let keep: (Entry) -> Kept?

    /// The wanted entries that are retained, oldest first, as of the last look.
    package private(set) var kept: [(sequence: UInt64, value: Kept)] = []
    /// Rises with each look that has changed ``kept``.
    package private(set) var revision = 0
    // The number up to which the journal has been read.
    private var position: UInt64 = 0
    // The number of the journal's changes that are known; `nil` before the first look.
    private var knownChanges: UInt64?

    /// Follows a journal; `keep` returns what is kept of an entry that may pass the filter, `nil` if it is unwanted.
    package init(_ journal: JournalStore, after: UInt64, filter: Filter = Filter(), keep: @escaping (Entry) -> Kept?) {
        self.journal = journal
        self.after = after
        conditions = EntryPrefilter(filter)
        self.keep = keep
    }

    /// Updates ``kept`` up to a number up to which the journal is complete; returns how many entries were read.
    package mutating func readChanges(through last: UInt64) async throws(CancellationError) -> Int {
        // Taken before reading, so that changes made meanwhile are seen by the next call.
        let known = knownChanges
        let (changed, changeCount) = journal.read { journal in
            (known.flatMap { journal.changes.sequences(since: $0) }, journal.changes.count)
        }
        var readCount = 0
        var isChanged = changed == nil
        if let changed {
            for sequence in Set(changed) where sequence > after && sequence <= position {
                readCount += 1
                if readAgain(sequence) { isChanged = true }
            }
        } else {
            kept = []
            position = after
        }
        let read = try await journal.forEach(after: position, through: last, mayPass: conditions) { entry in
            guard let value = keep(entry) else { return }
            kept.append((entry.sequence, value))
            isChanged = true
        }
        readCount += read.read
        knownChanges = changeCount
        position = max(position, last)
        let evictedThrough = journal.read { $0.counters.evictedThrough }
        if let first = kept.first, first.sequence <= evictedThrough {
            kept.removeSubrange(..<place(of: evictedThrough + 1))
            isChanged = true
        }
        if isChanged { revision += 1 }
        return readCount
    }

    /// Reads an entry that has changed; returns whether it is wanted, or was.
    private mutating func readAgain(_ sequence: UInt64) -> Bool {
        let value = journal.read { $0.entry(sequence) }.flatMap(keep)
        let place = place(of: sequence)
        let isKept = place < kept.count && kept[place].sequence == sequence
        switch (value, isKept) {
        case (let value?, true): kept[place].value = value
        case (let value?, false): kept.insert((sequence, value), at: place)
        case (nil, true): kept.remove(at: place)
        case (nil, false): return false
        }
        return true
    }

    /// The index of a number in ``kept``, or where it would be.
    private func place(of sequence: UInt64) -> Int {
        var low = 0
        var high = kept.count
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
