internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore

/// `/v1/notifications`: every push, accepted or refused.
struct NotificationRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/notifications") { [state] in try await NotificationRoutes.list($0, state) },
            Route(.delete, "/v1/notifications") { [state] in try await NotificationRoutes.remove($0, state) },
            Route(.get, "/v1/notifications/{id}") { [state] in try await NotificationRoutes.one($0, state) },
        ]
    }

    /// With more entries than this a filtered read is cancelled when its caller goes, at the price of its connection.
    private static let longReadMin = 10_000

    private static func isLongRead(_ filter: Filter, _ state: ControlState) -> Bool {
        !filter.isEmpty && state.server.journal.read { $0.counters.size } > longReadMin
    }

    private static func list(_ call: Call, _ state: ControlState) async throws -> Response {
        let query = try NotificationQuery(call.query())
        guard isLongRead(query.filter, state) else {
            if let page = try await decidedPage(query, state) { return page.list.response(to: call) }
            return try await call.whileCallerStays(state.logger) { try await waitedPage(query, call, state) }
        }
        return try await call.whileCallerStays(state.logger) {
            if let page = try await decidedPage(query, state) { return page.list.response(to: call) }
            return try await waitedPage(query, call, state)
        }
    }

    /// The page as it is now, or `nil` when the query waits for more.
    private static func decidedPage(
        _ query: NotificationQuery, _ state: ControlState
    ) async throws -> NotificationPage? {
        let page = try await NotificationPage(query, state.server.journal)
        return query.window.wait == nil || page.matched >= query.window.count ? page : nil
    }

    private static func waitedPage(
        _ query: NotificationQuery, _ call: Call, _ state: ControlState
    ) async throws -> Response {
        let journal = state.server.journal
        let deadline = ContinuousClock.now + (query.window.wait ?? .zero)
        var follower = JournalFollower(journal, after: query.after, filter: query.filter) { entry in
            // Without a filter an entry need not be decoded to be counted.
            query.filter.isEmpty || query.filter.matches(PushView(entry)) ? () : nil
        }
        let isMet = try await JournalWait(journal: journal, interruption: .gracefulShutdown).until(deadline) {
            let readCount = try await follower.look(through: await journal.settled())
            return follower.kept.count >= query.window.count ? .content : .again(at: nil, readCount: readCount)
        }
        var page = try await NotificationPage(query, journal)
        page.isTimedOut = !isMet
        return page.list.response(to: call)
    }

    private static func remove(_ call: Call, _ state: ControlState) async throws -> Response {
        let filter = try FilterReading.filter(call.query().rest, otherParameters: [])
        guard isLongRead(filter, state) else { return try await remove(filter, state) }
        return try await call.whileCallerStays(state.logger) { try await remove(filter, state) }
    }

    private static func remove(_ filter: Filter, _ state: ControlState) async throws -> Response {
        let count = try await state.server.removePushes(where: filter)
        let removed: JSONValue = ["notifications": .number(JSONNumber(count))]
        if count > 0 { state.server.events.note(.reset(removed: removed, only: ["notifications"], scope: nil)) }
        return .json(["removed": removed])
    }

    private static func one(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let id = call.parameters["id"] ?? ""
        let journal = state.server.journal
        _ = await journal.settled()
        if let sequence = UInt64(id) {
            let (entry, evictedThrough) = journal.read { ($0.entry(sequence), $0.counters.evictedThrough) }
            if let entry { return .json(PushView(entry).json) }
            guard sequence > evictedThrough, sequence > 0 else {
                throw Problem(
                    .evicted,
                    "push \(sequence) is not in the journal any more: everything up to \(evictedThrough) "
                        + "was evicted; give it more room with --retain and --retain-bytes", field: "id")
            }
            throw Problem(.notFound, "no push has the sequence number \(sequence), or it was removed", field: "id")
        }
        guard let notificationID = NotificationID(id) else {
            throw Problem(
                .invalidParameter, "\(id) is neither a sequence number nor an apns-id (a UUID, 8-4-4-4-12)",
                field: "id")
        }
        let (entry, evicted) = journal.read { ($0.newestEntry(notificationID), $0.counters.evicted) }
        guard let entry else {
            throw Problem(
                .notFound,
                "no push in the journal has the apns-id \(id)" + (evicted > 0 ? "; \(evicted) were evicted" : ""),
                field: "id")
        }
        return .json(PushView(entry).json)
    }
}
