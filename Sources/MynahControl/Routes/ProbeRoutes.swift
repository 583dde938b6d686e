internal import APNsRules
internal import Hummingbird

/// `/livez`, `/healthz` and `/readyz`: 503 until the fixtures are loaded, and while shutting down.
enum ProbeRoutes {
    static let routes: [Route] = ["livez", "healthz", "readyz"].flatMap { name in
        [
            Route(
                .get, "/\(name)", name, "Report whether the server accepts pushes", isOpen: true, ignoresQuery: true,
                answers: [
                    .ok("It does.", "Probe"),
                    CallAnswer(
                        status: 503,
                        description: "It is starting or shutting down; a problem if too many connections are open.",
                        content: [
                            JSONMember("application/json", .reference("Probe")),
                            JSONMember("application/problem+json", .reference("Problem")),
                        ]),
                ]
            ) { answer($0) },
            Route(
                .head, "/\(name)", "\(name)Head", "The same without a body", isOpen: true, ignoresQuery: true,
                answers: [.empty(200, "It does."), .empty(503, "It is starting or shutting down.")]
            ) { answer($0).createHeadResponse() },
        ]
    }

    private static func answer(_ call: Call) -> Response {
        let readiness = call.state.readiness
        return .json(
            ["status": .string(readiness.rawValue)], status: readiness == .ready ? .ok : .serviceUnavailable)
    }
}
