internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// `/v1/connections` and `/v1/failed-handshakes`: open connections, and those whose TLS handshake failed.
enum ConnectionRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/connections", id: "listConnections", summary: "List the open connections",
            details: """
                With wait and count the answer is held until that many connections match, or, with count=0, until \
                none does; when the time runs out first, the answer is 200 with timedOut true. A connection is listed \
                once its handshake has finished.
                """,
            parameters: [
                .filters(
                    "environment: where its pushes go; team and keyId: of the provider token; connection: a number",
                    for: ConnectionQuery.Key.self),
                .limit, .order(), .cursor, .wait,
                .integer(
                    "count",
                    "With wait: how many connections must match; 0 waits until none does. It means nothing without "
                        + "wait.", min: 0,
                    default: 1),
            ], answers: [.page(of: "Connection")], handle: list),
        Route(
            .get, "/v1/connections/{id}", id: "getConnection", summary: "Get one open connection", parameters: [number],
            answers: [.ok("The connection.", "Connection")], problems: [.notFound]
        ) { call in
            let id = try id(of: call)
            let entries = call.server.connectionEntries.entries.filter { $0.id == id }
            return .json(try await call.server.views(of: entries).first.found(or: unknown(id)).json)
        },
        Route(
            .delete, "/v1/connections/{id}", id: "closeConnection", summary: "Close a connection",
            details: "Sends GOAWAY with the reason Shutdown and lets the streams finish for at most --shutdown-grace; "
                + "with abort=true resets the TCP connection at once. Answers when the connection has closed.",
            parameters: [number, .flag("abort", "Whether to reset the TCP connection.")],
            answers: [.removed("The connection has closed.")], problems: [.notFound]
        ) { call in
            var query = call.query
            let isAborted = try query.takeFlag("abort")
            let id = try id(of: call)
            guard try await call.server.closeConnection(id, abort: isAborted) else { throw unknown(id) }
            return .removed(["connections": 1])
        },
        Route(
            .get, "/v1/failed-handshakes", id: "listFailedHandshakes",
            summary: "List the connections whose TLS handshake failed",
            details: """
                The latest 100 since the start or the last reset of notifications; evicted counts the \
                earlier ones. A connection on which the client sent nothing before it left doesn't count. /v1/events \
                reports each as a connection event with change failed; further failures with the same cause within \
                a second become one event, with the count at that time.
                """, parameters: CallParameter.page(order: .descending), answers: [.page(of: "FailedHandshake")],
            problems: [.evicted]
        ) { call in
            let (items, total) = call.server.failedHandshakes
            var list = try ListPage(items, to: call, order: .descending, id: { String($0.id) }, json: \.json)
            list.evicted = total - UInt64(items.count)
            return list.response(to: call)
        },
    ]

    private static let number = CallParameter.path("id", "The connection's number.", schema: ["type": "integer"])

    private static func list(_ call: Call) async throws -> Response {
        let query = try ConnectionQuery(call.query)
        let server = call.server
        let first = await query.page(of: server.connectionEntries.entries, server)
        return try await first.response(to: call, query.window) { deadline in
            // Reads the table again after each change.
            while true {
                let (entries, revision) = server.connectionEntries
                let isContent = query.window.isContent(with: entries.count(where: query.matches))
                if isContent || ContinuousClock.now >= deadline || Task.isShuttingDownGracefully {
                    var page = await query.page(of: entries, server)
                    page.isTimedOut = !isContent
                    return page
                }
                await cancelWhenGracefulShutdown { await server.waitForConnections(since: revision, until: deadline) }
                try Task.checkCancellation()
            }
        }
    }

    private static func id(of call: Call) throws(Problem) -> UInt64 {
        try call.pathNumber("id", "the number of a connection")
    }

    private static func unknown(_ id: UInt64) -> Problem {
        Problem(.notFound, "no open connection has the number \(id): GET /v1/connections lists them", field: "id")
    }
}

/// The parameters of `GET /v1/connections`.
struct ConnectionQuery: Sendable {
    /// The keys of the filter language that a connection has.
    fileprivate enum Key: String, ParameterKey {
        case environment, team, keyId, connection

        var sentence: String {
            let key: FilterKey =
                switch self {
                case .environment: .environment
                case .team: .team
                case .keyId: .keyId
                case .connection: .connection
                }
            return key.sentence
        }

        func normalized(_ value: String, at name: String) throws(InputError) -> String {
            switch self {
            case .environment: try Form.choice(APNsEnvironment.self).check(.string(value), at: name)
            case .connection:
                guard let number = UInt64(value), number > 0 else {
                    throw .mismatch(.string(value), at: name, expected: "the number of a connection")
                }
                return String(number)
            case .team, .keyId: break
            }
            return value
        }

        func check(_ value: String, at name: String) throws(InputError) {
            switch self {
            case .team: try Alphabet.identifiers.check(value, of: .team, at: name)
            case .keyId: try Alphabet.identifiers.check(value, of: .keyId, at: name)
            case .environment, .connection: break
            }
        }
    }

    private let filter: ParameterFilter<Key>
    /// The page, by number, which is the order of acceptance, and what to wait for.
    let window: ListWindow

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query, countMin: 0)
        filter = try ParameterFilter(parameters: query.rest, besides: query.declared)
    }

    /// The page of these connections, with the counters from their event loops.
    func page(of entries: [ConnectionView], _ server: Server) async -> ListPage {
        let all = entries.filter(matches)
        let matching = (window.order == .ascending ? all : all.reversed()).filter { window.isAfterCursor($0.id) }
        let page = Array(matching.prefix(window.limit))
        let views = await server.views(of: page)
        var list = ListPage(items: views, matched: all.count, lastSequence: server.journal.lastIssued) { $0.json }
        if matching.count > page.count { list.nextCursor = page.last.map { window.cursor(after: $0.id) } }
        return list
    }

    func matches(_ entry: ConnectionView) -> Bool {
        filter.holds { key in
            let value: String? =
                switch key {
                case .environment: entry.environment.rawValue
                case .team: entry.credential?.team
                case .keyId: entry.credential?.keyID
                case .connection: String(entry.id)
                }
            return value.map { [$0] } ?? []
        }
    }
}
