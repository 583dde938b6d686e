internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scenarios`: scripts that add and remove fault rules (`Documents#Scenarios`); several may run at once, of the same
/// name one for the whole server and one in each scope.
enum ScenarioRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/scenarios", id: "listScenarios", summary: "List the running scenarios, or the built-in ones",
            parameters: [
                .flag("shipped", "Whether to list the scenarios that are part of the program."),
                .query("scope", "Only the scenarios of this scope.", schema: .reference("Scope")),
            ]
                + CallParameter.page("running ones by their start, built-in ones by name"),
            answers: [.page(of: "Scenario")], problems: [.evicted]
        ) { call in
            var query = call.query
            let isShipped = try query.takeFlag("shipped")
            let scope = try takeScope(&query)
            guard !isShipped || scope == nil else {
                throw Problem.parameter("scope", "shipped scenarios have no scope: leave one of shipped and scope out")
            }
            let all = isShipped ? ShippedScenarios.all.map(\.answer) : call.server.scenarios
            let scenarios = all.filter { scope == nil || $0["scope"]?.string == scope }
            return try ListPage(scenarios, to: call, id: { $0["name"]?.string ?? "" }) { $0 }.response(to: call)
        },
        Route(
            .post, "/v1/scenarios", id: "startScenario", summary: "Start a scenario",
            details:
                "A name without steps starts the built-in scenario of that name. With a scope its rules touch only "
                + "pushes to devices of the scope, their IDs are followed by @ and the scope, and its steps follow the "
                + "scope's clock; it can't have rules of connections or handshakes. Steps that come after a time "
                + "follow the server's clock; steps that come after a number of pushes are exact.",
            body: .required(Scenario.document),
            answers: [.created("The scenario; the rules of its first steps are in force.", "Scenario")],
            problems: [.conflict], handle: start),
        Route(
            .delete, "/v1/scenarios", id: "deleteScenarios",
            summary: "End all scenarios, or those of a scope, and remove the rules that they added",
            parameters: [.query("scope", "Only the scenarios of this scope.", schema: .reference("Scope"))],
            answers: [.removed()]
        ) { call in
            var query = call.query
            let removed = try await call.server.removeScenarios(ofScope: try takeScope(&query))
            return .removed(["scenarios": removed.scenarios, "faults": removed.faults])
        },
        Route(
            .get, "/v1/scenarios/{name}", id: "getScenario", summary: "Get one running scenario",
            parameters: [name, scope],
            answers: [.ok("The scenario.", "Scenario")], problems: [.notFound]
        ) { call in
            var query = call.query
            let name = try call.pathText("name")
            let scope = try takeScope(&query)
            return .json(try call.server.scenario(name, ofScope: scope).found(or: unknown(name, scope)))
        },
        Route(
            .delete, "/v1/scenarios/{name}", id: "deleteScenario",
            summary: "End a scenario and remove the rules that it added", parameters: [name, scope],
            answers: [.removed()], problems: [.notFound]
        ) { call in
            var query = call.query
            let name = try call.pathText("name")
            let scope = try takeScope(&query)
            let faults = try await call.server.removeScenario(name, ofScope: scope).found(or: unknown(name, scope))
            return .removed(["scenarios": 1, "faults": faults])
        },
    ]

    private static let name = CallParameter.path("name", "The scenario's name.")
    private static let scope = CallParameter.query(
        "scope", "The scenario's scope; by default the one for the whole server is meant.",
        schema: .reference("Scope"))

    private static func takeScope(_ query: inout QueryString) throws -> String? {
        let scope = try query.take("scope")
        if let scope { try ScopeName.check(scope, at: "scope") }
        return scope
    }

    private static func start(_ call: Call) async throws -> Response {
        let scenario = try await WorkThreads.run { try ShippedScenarios.scenario(json: call.object()) }
        try await call.server.startScenario(scenario)
        let problem = "the scenario was removed while it was being started"
        let view = try call.server.scenario(scenario.name, ofScope: scenario.scope).found(
            or: Problem(.conflict, problem))
        let query = scenario.scope.map { "?scope=" + PathText.encoded($0) } ?? ""
        return .created(view, at: "/v1/scenarios/\(PathText.encoded(scenario.name))\(query)")
    }

    private static func unknown(_ name: String, _ scope: String?) -> Problem {
        let place = scope.map { " in scope \($0)" } ?? ""
        return Problem(
            .notFound, "no scenario \(name) is running\(place): GET /v1/scenarios lists those that are",
            field: "name")
    }
}
