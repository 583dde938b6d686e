internal import Mynah
internal import MynahCore

/// The parameters of `GET /v1/notifications`, and the page of the journal that they ask for
/// (`ControlAPI#Lists-and-waiting`).
struct NotificationQuery: Sendable {
    let filter: Filter
    let window: ListWindow
    /// Only entries after this number.
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = try query.takeAfter() ?? 0
        filter = try Filter(parameters: query.pairs, besides: query.declared)
    }

    /// The page, whose entries share their bytes with the journal and are converted to JSON as they are written.
    ///
    /// - Throws: ``Problem`` when the cursor points to evicted entries; `CancellationError`.
    func page(of journal: JournalStore) async throws -> ListPage {
        let last = await journal.settled()
        let (found, matched) =
            filter.isEmpty ? readUnfiltered(journal, through: last) : try await readFiltered(journal, through: last)
        // Read afterwards, so that what was evicted meanwhile is counted.
        let counters = journal.read { $0.counters }
        if let cursor = window.cursor, cursor.isEvicted(through: counters.evictedThrough) {
            throw Problem(
                .evicted,
                "the cursor points to evicted pushes, up to \(counters.evictedThrough): start again without it; "
                    + "--retain and --retain-bytes set how much the journal keeps", field: "cursor")
        }
        let items = Array(found.prefix(window.limit))
        var page = ListPage(items: items, matched: matched) { PushView($0).json }
        if found.count > items.count { page.nextCursor = window.cursor(after: items.last?.sequence) }
        page.evicted = counters.evicted
        page.lastSequence = last
        return page
    }

    // Both read one item more than the page holds, to know whether there is another page. Without a filter, counting
    // needs no reading.
    private func readUnfiltered(_ journal: JournalStore, through last: UInt64) -> (items: [Entry], matched: Int) {
        let (limit, cursor) = (window.limit + 1, window.cursor?.sequence)
        return journal.read { [order = window.order, after] journal in
            let items =
                switch order {
                case .ascending:
                    journal.entries(after: max(after, cursor ?? 0), limit: limit).entries.filter { $0.sequence <= last }
                case .descending:
                    journal.entries(before: min(last + 1, cursor ?? .max), limit: limit).entries.filter {
                        $0.sequence > after
                    }
                }
            return (items, journal.entryCount(after: after, through: last))
        }
    }

    private func readFiltered(
        _ journal: JournalStore, through last: UInt64
    ) async throws -> (items: [Entry], matched: Int) {
        var items: [Entry] = []
        var matched = 0
        try await JournalReader(journal: journal).forEach(
            after: after, through: last, window.order, mayPass: EntryPrefilter(filter)
        ) { entry in
            guard filter.matches(PushView(entry)) else { return }
            matched += 1
            if window.isAfterCursor(entry.sequence), items.count <= window.limit { items.append(entry) }
        }
        return (items, matched)
    }
}
