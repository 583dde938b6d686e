internal import Mynah
internal import MynahCore

/// A page of the journal (`ControlAPI#Lists-and-waiting`).
struct NotificationPage: Sendable {
    var items: [Entry] = []
    var nextCursor: Cursor?
    /// How many match on all pages.
    var matched = 0
    /// Whether the caller waited without success.
    var isTimedOut = false
    /// How many entries were evicted since the start or a reset.
    var evicted: UInt64 = 0
    /// The latest number that this page takes into account: the value of `after` that asks for what comes later.
    var lastSequence: UInt64 = 0

    /// - Throws: ``Problem`` when the cursor points to evicted entries; `CancellationError`.
    init(_ query: NotificationQuery, _ journal: JournalStore) async throws {
        lastSequence = await journal.settled()
        let (found, matched) =
            query.filter.isEmpty
            ? NotificationPage.readUnfiltered(query, journal, through: lastSequence)
            : try await NotificationPage.readFiltered(query, journal, through: lastSequence)
        // Read afterwards, so that what was evicted meanwhile is counted.
        let counters = journal.read { $0.counters }
        if let cursor = query.window.cursor, cursor.isEvicted(through: counters.evictedThrough) {
            throw Problem(
                .evicted,
                "the cursor points to evicted pushes, up to \(counters.evictedThrough): start again without it; "
                    + "--retain and --retain-bytes set how much the journal keeps",
                field: "cursor")
        }
        self.items = Array(found.prefix(query.window.limit))
        self.matched = matched
        evicted = counters.evicted
        if found.count > items.count, let last = items.last {
            nextCursor = Cursor(order: query.window.order, sequence: last.sequence)
        }
    }

    // Both read one item more than the page holds, to know whether there is another page. Without a filter, counting
    // needs no reading.
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
            if query.window.isAfterCursor(entry.sequence), items.count <= query.window.limit { items.append(entry) }
        }
        return (items, matched)
    }

    /// The list; entries share their bytes with the journal and are converted to JSON as they are written.
    var list: ListPage {
        var list = ListPage(items: items, matched: matched) { PushView($0).json }
        list.nextCursor = nextCursor?.text
        list.isTimedOut = isTimedOut
        list.evicted = evicted
        list.lastSequence = lastSequence
        return list
    }
}
