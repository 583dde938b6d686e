internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import ServiceLifecycle

/// `/v1/connections` and `/v1/failed-handshakes`: the open connections, their end, and those that never opened.
struct ConnectionRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/connections") { [state] in try await ConnectionRoutes.list($0, state) },
            Route(.get, "/v1/connections/{id}") { [state] in try await ConnectionRoutes.one($0, state) },
            Route(.delete, "/v1/connections/{id}") { [state] in try await ConnectionRoutes.remove($0, state) },
            Route(.get, "/v1/failed-handshakes") { [state] in try ConnectionRoutes.failures($0, state) },
        ]
    }

    private static func list(_ call: Call, _ state: ControlState) async throws -> Response {
        let query = try ConnectionQuery(call.query())
        let server = state.server
        let page = await ConnectionPage(query, server.connectionEntries.entries, server)
        guard let wait = query.window.wait, !query.isContent(with: page.matched) else {
            return page.list.response(to: call)
        }
        let deadline = ContinuousClock.now + wait
        return try await call.whileCallerStays(state.logger) {
            let page = try await Self.page(query, server, until: deadline)
            return page.list.response(to: call)
        }
    }

    /// Looks at the table, again after each change, until the query is content or its time is over, on the wall's clock.
    private static func page(
        _ query: ConnectionQuery, _ server: Server, until deadline: ContinuousClock.Instant
    ) async throws -> ConnectionPage {
        while true {
            let (entries, revision) = server.connectionEntries
            let isContent = query.isContent(with: entries.count { query.matches($0) })
            if isContent || ContinuousClock.now >= deadline || Task.isShuttingDownGracefully {
                var page = await ConnectionPage(query, entries, server)
                page.isTimedOut = !isContent
                return page
            }
            await cancelWhenGracefulShutdown {
                await server.waitForConnections(since: revision, until: deadline)
            }
            try Task.checkCancellation()
        }
    }

    private static func one(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let id = try id(call)
        let entries = state.server.connectionEntries.entries.filter { $0.id == id }
        guard let view = await state.server.views(of: entries).first else { throw notThere(id) }
        return .json(view.json)
    }

    /// The connections that never opened, newest first.
    private static func failures(_ call: Call, _ state: ControlState) throws -> Response {
        try call.checkNoQuery()
        let (items, total) = state.server.failedHandshakes
        var list = ListPage(items: items.reversed().map(\.json), matched: items.count)
        list.evicted = total - UInt64(items.count)
        list.lastSequence = state.server.journal.lastIssued
        return list.response(to: call)
    }

    private static func remove(_ call: Call, _ state: ControlState) async throws -> Response {
        var query = try call.query()
        let isAborted = try query.takeWord("abort", ["true", "false"]) == "true"
        try query.finish(known: ["abort"])
        let id = try id(call)
        guard await state.server.closeConnection(id, abort: isAborted) else { throw notThere(id) }
        return .json(["removed": ["connections": 1]])
    }

    private static func id(_ call: Call) throws(Problem) -> UInt64 {
        let text = call.parameters["id"] ?? ""
        guard let id = UInt64(text) else {
            throw Problem(.invalidParameter, "\(text) is not the number of a connection", field: "id")
        }
        return id
    }

    private static func notThere(_ id: UInt64) -> Problem {
        Problem(.notFound, "no open connection has the number \(id); GET /v1/connections lists them", field: "id")
    }
}
