internal import APNsRules
internal import Hummingbird
internal import Mynah
package import MynahCore
internal import MynahSystem
internal import Synchronization

/// The server as a whole: probes, `/v1/status` (`Documents#Status`), `/metrics`, `/v1/credentials` and `/openapi.json`.
enum ServerRoutes {
    static let routes: [Route] =
        Route.probeNames.map(probe) + [
            Route(
                .get, "/v1/", id: "index", summary: "List the paths of this API", answers: [.ok("The paths.", "Index")]
            ) { _ in
                let paths = Set(RouteTable.all.routes.map(\.path)).filter { $0.hasPrefix("/v1/") && !$0.contains("{") }
                return .json(PathIndex(paths: paths.sorted()).json)
            },
            Route(
                .get, "/v1/status", id: "status", summary: "Get counts, ports and the seed",
                answers: [.ok("The status.", "Status")]
            ) { call in
                _ = await call.server.journal.settled()
                return .json(await StatusView(call.state).json)
            },
            Route(
                .get, "/metrics", id: "metrics", summary: "Get the server's metrics in Prometheus' text format",
                details: """
                    Pushes by status and reason, their outcomes, broadcasts, reply times, connections, streams, faults, \
                    journal, devices, channels, event stream readers, memory.
                    """, isForRecorded: false, isOfProcess: true,
                answers: [.text("Version 0.0.4 of the format.", ["text/plain"])]
            ) { call in
                // Process what is due by now, so that it is counted.
                _ = await call.server.journal.settled()
                let document = MetricsDocument(
                    server: call.server, counts: try await call.server.counts(),
                    faults: call.server.faults.map { ($0.rule.id, $0.counters.fired) },
                    eventReaders: call.state.streamReaderCount.load(ordering: .relaxed))
                return .bytes(Array(document.text.utf8), PrometheusText.contentType)
            },
            Route(
                .get, "/v1/credentials", id: "credentials", summary: "Get the CA and the generated development key",
                details: "For the code under test. Never includes the CA's key or a key given by --auth-key.",
                isForRecorded: false, answers: [.ok("The credentials.", "Credentials")]
            ) { .json($0.server.credentials.json) },
            // Without a token: a certificate is not secret, and clients need it before anything else.
            Route(
                .get, "/ca.pem", id: "certificateAuthority", summary: "Get the certificate of the CA", isOpen: true,
                isForRecorded: false, answers: [.text("PEM.", ["text/plain"])]
            ) { .bytes(Array($0.server.credentials.caPEM.utf8), "text/plain") },
            Route(
                .get, "/openapi.json", id: "openAPI", summary: "Get this document", isOfProcess: true,
                answers: [.ok("OpenAPI 3.1.", "OpenAPI")]
            ) { _ in .bytes(Array(openAPI.utf8), "application/json") },
        ]

    static let openAPI = OpenAPIDocument.text(of: RouteTable.all.routes)

    /// 503 until the fixtures are loaded, and while shutting down.
    private static func probe(_ name: String) -> Route {
        let isOfLife = name == "livez"
        return Route(
            .get, "/\(name)", id: name,
            summary: isOfLife
                ? "Report that the server is not stuck, even if it can't accept pushes"
                : "Report whether the server accepts pushes",
            isOpen: true, ignoresQuery: true,
            answers: [
                .ok(isOfLife ? "It is not stuck." : "It does.", "Probe"),
                CallAnswer(
                    status: 503,
                    description: isOfLife
                        ? "Too many connections are open."
                        : """
                        It is starting, shutting down, or can't keep changes; a problem if too many connections are open.
                        """,
                    content: [
                        JSONMember("application/json", .reference("Probe")),
                        JSONMember("application/problem+json", .reference("Problem")),
                    ]),
            ]
        ) { readiness($0, isOfLife: isOfLife) }
    }

    private static func readiness(_ call: Call, isOfLife: Bool) -> Response {
        var readiness = call.state.readiness
        let problem = readiness == .ready ? call.server.changeProblem : nil
        if problem != nil { readiness = .unavailable }
        return .json(
            Probe(readiness: readiness, problem: problem).json,
            status: isOfLife || readiness == .ready ? .ok : .serviceUnavailable)
    }
}

extension RouteTable {
    static let all: RouteTable = RouteTable(
        routes: [
            ServerRoutes.routes, PageRoutes.routes, NotificationRoutes.routes, SendRoutes.routes, DeviceRoutes.routes,
            RegistrationRoutes.routes, InboxRoutes.routes, ScreenRoutes.routes, ActivityRoutes.routes,
            ChannelRoutes.routes,
            ScopeRoutes.routes, ClockRoutes.routes,
            CertificateRoutes.routes, KeyRoutes.routes, ConnectionRoutes.routes,
            ClosedConnectionRoutes.routes, EventRoutes.routes, FaultRoutes.routes,
            ScenarioRoutes.routes, FixtureRoutes.routes, RecordedRoutes.routes,
        ].flatMap(\.self))
}

extension Member {
    /// A parameter of a call, or one of its filters, for the help of a command that makes the call; `nil` if it has no
    /// such parameter.
    package static func parameter(_ name: String, of call: String) -> Member? {
        let parameters = RouteTable.all.routes.first { $0.id == call }?.parameters ?? []
        // A parameter of its own is in place of a filter of that name.
        return parameters.first { $0.name == name }?.members.first
            ?? parameters.flatMap(\.members).first { $0.name == name }
    }
}
