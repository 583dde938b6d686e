internal import Mynah
internal import MynahCore

/// Removes a part of the journal.
enum JournalRemoval {
    /// Removes what a filter holds for; answers how much that was.
    static func remove(_ filter: Filter, _ journal: JournalStore) async throws -> Int {
        let last = await journal.settled()
        let sieve = Sieve(filter)
        var sequences: [UInt64] = []
        try JournalReader(journal: journal).forEach(after: 0, through: last, mayPass: OpenConditions(filter)) { entry in
            if filter.isEmpty || sieve.passes(PushView(entry)) { sequences.append(entry.sequence) }
        }
        return journal.remove(sequences)
    }

    /// Removes the pushes of a scope.
    static func remove(ofScope scope: String, _ journal: JournalStore) async throws -> Int {
        try await remove(
            FilterReading.filter([.init(name: "scope", value: scope)], otherParameters: []), journal)
    }
}
