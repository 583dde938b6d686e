internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// `/v1/notifications`: every push, accepted or refused; and `/v1/expectations`, which waits for pushes.
enum NotificationRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/notifications", id: "listNotifications", summary: "List every push, accepted or refused",
            details: """
                Filters: key=value; a repeated key matches any of its values; different keys must all match; \
                !key=value negates. To see what an action causes: take lastSequence, act, and ask with after. With \
                wait and count the answer is held until that many pushes match in all; when the time runs out first, \
                the answer is 200 with timedOut true.
                """,
            parameters: [
                .filters, .filterLine, .limit, .order(),
                .integer("after", "Only pushes after this sequence number.", min: 0), .cursor, .wait, .count,
            ],
            answers: [
                .page(
                    of: "Notification",
                    """
                    A page. In JSON lines, of any list, the members other than items become the header fields \
                    Mynah-Next-Cursor, Mynah-Matched, Mynah-Timed-Out, Mynah-Evicted and Mynah-Last-Sequence. A long \
                    page is written as its reader takes it, without Content-Length; a reader that takes nothing for \
                    10 s is disconnected.
                    """)
            ], problems: [.evicted], handle: list),
        Route(
            .delete, "/v1/notifications", id: "deleteNotifications",
            summary: "Remove the pushes that match; all without a filter", parameters: [.filters, .filterLine],
            answers: [.removed()], handle: remove),
        Route(
            .get, "/v1/notifications/{id}", id: "getNotification", summary: "Get one push",
            parameters: [id], answers: [.ok("The push.", "Notification")], problems: [.notFound, .evicted]
        ) { call in try await one(call) { .json($0.json) } },
        Route(
            .delete, "/v1/notifications/{id}", id: "deleteNotification", summary: "Remove one push",
            details: "Its device keeps what it received.", parameters: [id], answers: [.removed()],
            problems: [.notFound, .evicted]
        ) { call in
            try await one(call) { push in
                guard try await call.server.removePush(push.entry.sequence) else {
                    let problem = "push \(push.entry.sequence) was removed at the same time"
                    throw Problem(.notFound, problem, field: "id")
                }
                return .removed(["notifications": 1])
            }
        },
        Route(
            .post, "/v1/expectations", id: "expect", summary: "Wait for pushes and report whether they came",
            details: "Changes nothing. Met when count.min pushes match and settle has then passed without exceeding "
                + "count.max; unmet when count.max is exceeded or within is over. All times are wall time; a recorded run is judged at once.",
            isForRecorded: true, body: .required(Expectation.document),
            answers: [.ok("Met or not.", "ExpectationResult")]
        ) { call in
            let expectation = try await WorkThreads.run { try Expectation(json: call.object()) }
            try expectation.checkTokens(call.server.knownTokenByteCounts)
            let started = ContinuousClock.now
            return try await call.whileCallerStays {
                let answer = try await call.server.check(expectation, since: started, interruption: .gracefulShutdown)
                let problem = "the expectation was not checked: the server is shutting down or overloaded"
                return .json(try answer.found(or: Problem(.unavailable, problem)).json)
            }
        },
    ]

    private static let id = CallParameter.path(
        "id", "A sequence number, an apns-id for the latest push that has it, or an apns-unique-id.")

    /// In a journal longer than this, a filtered read is cancelled when its caller leaves; its connection is closed
    /// afterwards.
    private static let longReadMin = 10_000

    private static func isLongRead(_ filter: Filter, _ call: Call) -> Bool {
        !filter.isEmpty && call.server.journal.read { $0.counters.size } > longReadMin
    }

    private static func list(_ call: Call) async throws -> Response {
        let query = try NotificationQuery(call.query)
        try call.checkTokens(query.filter)
        try call.server.checkIssued(query.after, at: "after")
        let isLong = isLongRead(query.filter, call)
        if !isLong, let page = try await decidedPage(query, call) { return page.response(to: call) }
        return try await call.whileCallerStays {
            if isLong, let page = try await decidedPage(query, call) { return page.response(to: call) }
            return try await waitedPage(query, call)
        }
    }

    /// The present page, or `nil` when the query waits for more.
    private static func decidedPage(_ query: NotificationQuery, _ call: Call) async throws -> ListPage? {
        let page = try await query.page(of: call.server.journal)
        return query.window.isContent(with: page.matched) ? page : nil
    }

    private static func waitedPage(_ query: NotificationQuery, _ call: Call) async throws -> Response {
        let journal = call.server.journal
        let deadline = call.deadline(after: query.window.wait ?? .zero)
        var follower = JournalFollower(journal, after: query.after, filter: query.filter) { entry in
            // Without a filter, entries are counted without decoding them.
            query.filter.isEmpty || query.filter.matches(PushView(entry)) ? () : nil
        }
        let isMet = try await JournalWait(journal: journal, interruption: .gracefulShutdown).until(deadline) {
            let readCount = try await follower.readChanges(through: await journal.settled())
            return follower.kept.count >= query.window.count ? .done : .again(at: nil, readCount: readCount)
        }
        var page = try await query.page(of: journal)
        page.isTimedOut = !isMet
        return page.response(to: call)
    }

    private static func remove(_ call: Call) async throws -> Response {
        let filter = try Filter(parameters: call.query.selection(), besides: [])
        try filter.checkSelection(at: "q")
        try call.checkTokens(filter)
        guard isLongRead(filter, call) else { return try await remove(filter, call) }
        return try await call.whileCallerStays { try await remove(filter, call) }
    }

    private static func remove(_ filter: Filter, _ call: Call) async throws -> Response {
        let count = try await call.server.removePushes(where: filter)
        return .removed(["notifications": count])
    }

    /// Answers with the push that the path names.
    private static func one(
        _ call: Call, _ answer: @escaping @Sendable (PushView) async throws -> Response
    ) async throws -> Response {
        let id = try call.pathText("id")
        let journal = call.server.journal
        _ = await journal.settled()
        if let sequence = UInt64(id) {
            let (entry, evictedThrough) = journal.read { ($0.entry(sequence), $0.counters.evictedThrough) }
            if let entry { return try await answer(PushView(entry)) }
            guard sequence > evictedThrough || sequence == 0 else {
                throw Problem(
                    .evicted,
                    "push \(sequence) was evicted from the journal, like everything up to \(evictedThrough): "
                        + "--retain and --retain-bytes set how much it keeps", field: "id")
            }
            throw Problem(.notFound, "no push has the sequence number \(sequence), or it was removed", field: "id")
        }
        guard let notificationID = NotificationID(id) else {
            throw Problem.parameter(
                "id",
                "invalid ID \(id): expected a sequence number, an apns-id or an apns-unique-id (a UUID, 8-4-4-4-12)")
        }
        let (entry, evicted) = journal.read { ($0.newestEntry(notificationID), $0.counters.evicted) }
        if let entry { return try await answer(PushView(entry)) }
        return try await call.whileCallerStays {
            let unique = EntryPrefilter(uniqueID: notificationID)
            let problem =
                "no push in the journal has the apns-id or apns-unique-id \(id)"
                + (evicted > 0 ? "; \(evicted) were evicted" : "")
            let found = try await journal.views(after: 0, through: .max, mayPass: unique).last
            return .json(try found.found(or: Problem(.notFound, problem, field: "id")).json)
        }
    }
}

extension JournalWait.Interruption {
    /// The shutdown of the control plane: waiting calls are answered with what they have found.
    static let gracefulShutdown = JournalWait.Interruption(
        hasOccurred: { Task.isShuttingDownGracefully },
        runUntil: { work in try await cancelWhenGracefulShutdown { try await work() } })
}

/// The parameters of `GET /v1/notifications`, and the page of the journal that they ask for
/// (`ControlAPI#Lists-and-waiting`).
struct NotificationQuery: Sendable {
    let filter: Filter
    let window: ListWindow
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = try query.takeAfter() ?? 0
        filter = try Filter(parameters: query.rest, besides: query.declared)
    }

    /// The page, whose entries share their bytes with the journal and are converted to JSON as they are written.
    /// - Throws: ``Problem`` when the cursor points to evicted entries; `CancellationError`.
    func page(of journal: JournalStore) async throws -> ListPage {
        let last = await journal.settled()
        let (found, matched) =
            filter.isEmpty ? readUnfiltered(journal, through: last) : try await readFiltered(journal, through: last)
        // Read afterwards, to include evictions in the meantime.
        let counters = journal.read { $0.counters }
        if let cursor = window.cursor, cursor.isEvicted(through: counters.evictedThrough) {
            throw Problem(
                .evicted,
                "the cursor points to evicted pushes, up to \(counters.evictedThrough): start again without it; "
                    + "--retain and --retain-bytes set how much the journal keeps", field: "cursor")
        }
        var page = ListPage(
            found, limit: window.limit, matched: matched, lastSequence: last,
            cursor: { window.cursor(after: $0.sequence) }
        ) { PushView($0).json }
        page.evicted = counters.evicted
        return page
    }

    // Both read one item more than the page holds, to know whether there is another page. Without a filter, counting
    // needs no reading.
    private func readUnfiltered(_ journal: JournalStore, through last: UInt64) -> (items: [Entry], matched: Int) {
        let limit = window.limit + 1
        let cursor = window.cursor?.sequence
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
        let isListed = { window.isAfterCursor($0) && items.count <= window.limit }
        let count = try await journal.forEach(
            after: after, through: last, window.order, mayPass: EntryPrefilter(filter), copiesWanted: isListed
        ) { entry in
            guard filter.matches(PushView(entry)) else { return }
            matched += 1
            if isListed(entry.sequence) { items.append(entry) }
        }
        return (items, matched + count.countedOnly)
    }
}
