package import MynahCore

/// The entries of the journal after a number that a reader wants, kept up to date by reading only what is new or changed.
///
/// A reader that waits looks after almost every push; without this, each look would read the whole journal.
package struct JournalFollower<Kept> {
    private let journal: JournalStore
    private let after: UInt64
    private let conditions: EntryPrefilter
    private let keep: (Entry) -> Kept?

    /// The wanted entries that are retained, oldest first, as of the last look.
    package private(set) var kept: [(sequence: UInt64, value: Kept)] = []
    // Everything up to this number has been read.
    private var position: UInt64 = 0
    // The number of the journal's changes that are known; `nil` before the first look.
    private var knownChanges: UInt64?

    /// Follows a journal.
    ///
    /// - Parameters:
    ///   - after: Only entries after this number.
    ///   - filter: Only entries that may pass this.
    ///   - keep: Returns what is kept of an entry; `nil` for an unwanted one.
    package init(_ journal: JournalStore, after: UInt64, filter: Filter = Filter(), keep: @escaping (Entry) -> Kept?) {
        self.journal = journal
        self.after = after
        self.conditions = EntryPrefilter(filter)
        self.keep = keep
    }

    /// Updates ``kept`` up to a number up to which the journal is complete; returns how many entries were read.
    package mutating func look(through last: UInt64) async throws(CancellationError) -> Int {
        // Before reading: changes made meanwhile are seen at the next look.
        let known = knownChanges
        let (changed, changeCount) = journal.read { journal in
            (known.flatMap { journal.changes.sequences(since: $0) }, journal.changes.count)
        }
        var readCount = 0
        if let changed {
            for sequence in Set(changed) where sequence > after && sequence <= position {
                readCount += 1
                readAgain(sequence)
            }
        } else {
            kept = []
            position = after
        }
        readCount += try await JournalReader(journal: journal).forEach(
            after: position, through: last, mayPass: conditions
        ) { entry in
            if let value = keep(entry) { kept.append((entry.sequence, value)) }
        }
        knownChanges = changeCount
        position = max(position, last)
        let evictedThrough = journal.read { $0.counters.evictedThrough }
        if let first = kept.first, first.sequence <= evictedThrough {
            kept.removeSubrange(..<place(of: evictedThrough + 1))
        }
        return readCount
    }

    private mutating func readAgain(_ sequence: UInt64) {
        let value = journal.read { $0.entry(sequence) }.flatMap(keep)
        let place = place(of: sequence)
        let isKept = place < kept.count && kept[place].sequence == sequence
        switch (value, isKept) {
        case (let value?, true): kept[place].value = value
        case (let value?, false): kept.insert((sequence, value), at: place)
        case (nil, true): kept.remove(at: place)
        case (nil, false): break
        }
    }

    /// The index of a number in ``kept``, or where it would be.
    private func place(of sequence: UInt64) -> Int {
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
