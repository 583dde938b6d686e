internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import ServiceLifecycle

/// `/v1/connections` and `/v1/failed-handshakes`: open connections, and those whose TLS handshake failed.
enum ConnectionRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/connections", "listConnections", "List the open connections",
            details: """
                With wait and count the answer is held until that many connections match, or, with count=0, until \
                none does; when the time runs out first, the answer is 200 with timedOut true. A connection is listed \
                once its handshake has finished.
                """,
            parameters: [
                .filters(
                    """
                    environment: where its pushes go; team and keyId: of the provider token; connection: a number. \
                    Each may be negated with a leading !.
                    """, "^!?(environment|team|keyId|connection)$"),
                .limit, .order, .cursor, .wait,
                .integer(
                    "count", "With wait: how many connections must match; 0 waits until none does.", min: 0,
                    default: 1),
            ], answers: [.page(of: "Connection")], list),
        Route(
            .get, "/v1/connections/{id}", "getConnection", "Get one open connection", parameters: [number],
            answers: [.ok("The connection.", "Connection")], problems: [.notFound]
        ) { call in
            let id = try id(of: call)
            let entries = call.server.connectionEntries.entries.filter { $0.id == id }
            return .json(try await call.server.views(of: entries).first.found(or: unknown(id)).json)
        },
        Route(
            .delete, "/v1/connections/{id}", "closeConnection", "Close a connection",
            details: """
                Sends GOAWAY with the reason Shutdown and lets the streams finish for at most --shutdown-grace; with \
                abort=true resets the TCP connection at once. Answers when the connection has closed.
                """,
            parameters: [number, .flag("abort", "Whether to reset the TCP connection.")],
            answers: [.removed("The connection has closed.")], problems: [.notFound]
        ) { call in
            var query = call.query
            let isAborted = try query.takeFlag("abort")
            let id = try id(of: call)
            guard await call.server.closeConnection(id, abort: isAborted) else { throw unknown(id) }
            return .removed(["connections": 1])
        },
        Route(
            .get, "/v1/failed-handshakes", "listFailedHandshakes", "List the connections whose TLS handshake failed",
            details: """
                The latest 100 since the start or the last reset of notifications, newest first; evicted counts the \
                earlier ones. A connection on which the client sent nothing before it left doesn't count. /v1/events \
                reports each as a connection event with change failed; further failures with the same cause within \
                a second become one event, with the count at that time.
                """, answers: [.page(of: "FailedHandshake")]
        ) { call in
            let (items, total) = call.server.failedHandshakes
            var list = ListPage(items: items.reversed().map(\.json), to: call)
            list.evicted = total - UInt64(items.count)
            return list.response(to: call)
        },
    ]

    private static let number = CallParameter.path("id", "The connection's number.", ["type": "integer"])

    private static func list(_ call: Call) async throws -> Response {
        let query = try ConnectionQuery(call.query)
        let entries = call.server.connectionEntries.entries
        guard let wait = query.window.wait, !query.isContent(with: entries) else {
            return await query.page(of: entries, call.server).response(to: call)
        }
        let deadline = ContinuousClock.now + wait
        return try await call.whileCallerStays {
            try await page(query, call.server, until: deadline).response(to: call)
        }
    }

    /// Reads the table again after each change, until enough connections match or the time is over.
    private static func page(
        _ query: ConnectionQuery, _ server: Server, until deadline: ContinuousClock.Instant
    ) async throws -> ListPage {
        while true {
            let (entries, revision) = server.connectionEntries
            let isContent = query.isContent(with: entries)
            if isContent || ContinuousClock.now >= deadline || Task.isShuttingDownGracefully {
                var page = await query.page(of: entries, server)
                page.isTimedOut = !isContent
                return page
            }
            await cancelWhenGracefulShutdown { await server.waitForConnections(since: revision, until: deadline) }
            try Task.checkCancellation()
        }
    }

    private static func id(of call: Call) throws(Problem) -> UInt64 {
        try call.pathNumber("id", "the number of a connection")
    }

    private static func unknown(_ id: UInt64) -> Problem {
        Problem(.notFound, "no open connection has the number \(id): GET /v1/connections lists them", field: "id")
    }
}
