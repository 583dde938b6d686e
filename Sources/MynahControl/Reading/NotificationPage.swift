internal import Mynah
internal import MynahCore

/// A part of the journal as a list answers it (`ControlAPI#Lists-and-waiting`).
struct NotificationPage: Sendable {
    /// The entries of the page, in order.
    var items: [Entry] = []
    /// Where the next one begins, when there is more.
    var nextCursor: Cursor?
    /// How many match in all, on every page.
    var matched = 0
    /// Whether the caller waited in vain.
    var isTimedOut = false
    /// How many entries went to make room since the start or a reset.
    var evicted: UInt64 = 0
    /// The newest number that this answer takes into account: ask with `after` for what comes later.
    var lastSequence: UInt64 = 0

    /// Reads what a query asks for, as it is now.
    ///
    /// - Throws: ``Problem`` when the cursor points into what was evicted; `CancellationError`.
    init(_ query: NotificationQuery, _ journal: JournalStore) async throws {
        lastSequence = await journal.settled()
        let (found, matched) =
            query.filter.isEmpty
            ? NotificationPage.readUnfiltered(query, journal, through: lastSequence)
            : try await NotificationPage.readFiltered(query, journal, through: lastSequence)
        // Asked afterwards, so that what was evicted while this was read is counted.
        let counters = journal.read { $0.counters }
        if let cursor = query.window.cursor, cursor.isEvicted(through: counters.evictedThrough) {
            throw Problem(
                .evicted,
                "the cursor points into what was evicted, up to \(counters.evictedThrough); begin again without it, "
                    + "or give the journal more room with --retain and --retain-bytes",
                field: "cursor")
        }
        self.items = Array(found.prefix(query.window.limit))
        self.matched = matched
        evicted = counters.evicted
        if found.count > items.count, let last = items.last {
            nextCursor = Cursor(order: query.window.order, sequence: last.sequence)
        }
    }

    // Both read one item more than the page has, if there is one. Without a filter nothing is read for the sake of the
    // count.
    private static func readUnfiltered(
        _ query: NotificationQuery, _ journal: JournalStore, through last: UInt64
    ) -> (items: [Entry], matched: Int) {
        let (after, limit, cursor) = (query.after, query.window.limit + 1, query.window.cursor?.sequence)
        return journal.read { [order = query.window.order] journal in
            let items =
                switch order {
                case .ascending:
                    journal.entries(after: max(after, cursor ?? 0), limit: limit).filter { $0.sequence <= last }
                case .descending:
                    journal.entries(before: min(last + 1, cursor ?? .max), limit: limit).filter { $0.sequence > after }
                }
            return (items, journal.entryCount(after: after, through: last))
        }
    }

    private static func readFiltered(
        _ query: NotificationQuery, _ journal: JournalStore, through last: UInt64
    ) async throws -> (items: [Entry], matched: Int) {
        var items: [Entry] = []
        var matched = 0
        try await JournalReader(journal: journal).forEach(
            after: query.after, through: last, query.window.order, mayPass: EntryPrefilter(query.filter)
        ) { entry in
            guard query.filter.matches(PushView(entry)) else { return }
            matched += 1
            if query.window.isBehindCursor(entry.sequence), items.count <= query.window.limit { items.append(entry) }
        }
        return (items, matched)
    }

    /// The answer.
    ///
    /// Entries share their bytes with the journal; each is written as JSON when the answer comes to it.
    var list: ListPage {
        var list = ListPage(items: items, matched: matched) { PushView($0).json }
        list.nextCursor = nextCursor?.text
        list.isTimedOut = isTimedOut
        list.evicted = evicted
        list.lastSequence = lastSequence
        return list
    }
}
