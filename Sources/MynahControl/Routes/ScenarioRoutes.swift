internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scenarios`: scripts that add and remove fault rules (`Documents#Scenarios`); several may run at once.
enum ScenarioRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/scenarios", id: "listScenarios", summary: "List the running scenarios, or the built-in ones",
            parameters: [.flag("shipped", "Whether to list the scenarios that are part of the program.")]
                + CallParameter.page("running ones by their start, built-in ones by name"),
            answers: [.page(of: "Scenario")], problems: [.evicted]
        ) { call in
            var query = call.query
            let scenarios = try query.takeFlag("shipped") ? ShippedScenarios.all.map(\.json) : call.server.scenarios
            return try ListPage(scenarios, to: call, id: { $0["name"]?.string ?? "" }) { $0 }.response(to: call)
        },
        Route(
            .post, "/v1/scenarios", id: "startScenario", summary: "Start a scenario",
            details: "A name without steps starts the built-in scenario of that name. Steps that come after a time "
                + "follow the server's clock; steps that come after a number of pushes are exact.",
            body: .required("NewScenario"),
            answers: [.created("The scenario; the rules of its first steps are in force.", "Scenario")],
            problems: [.conflict], handle: start),
        Route(
            .delete, "/v1/scenarios", id: "deleteScenarios",
            summary: "End all scenarios and remove the rules that they added", answers: [.removed()]
        ) { call in
            let removed = try await call.server.removeScenarios()
            return .removed(["scenarios": removed.scenarios, "faults": removed.faults])
        },
        Route(
            .get, "/v1/scenarios/{name}", id: "getScenario", summary: "Get one running scenario", parameters: [name],
            answers: [.ok("The scenario.", "Scenario")], problems: [.notFound]
        ) { call in
            let name = try call.pathText("name")
            return .json(try call.server.scenario(name).found(or: unknown(name)))
        },
        Route(
            .delete, "/v1/scenarios/{name}", id: "deleteScenario",
            summary: "End a scenario and remove the rules that it added", parameters: [name], answers: [.removed()],
            problems: [.notFound]
        ) { call in
            let name = try call.pathText("name")
            let faults = try await call.server.removeScenario(name).found(or: unknown(name))
            return .removed(["scenarios": 1, "faults": faults])
        },
    ]

    private static let name = CallParameter.path("name", "The scenario's name.")

    private static func start(_ call: Call) async throws -> Response {
        let scenario = try await WorkThreads.run { try ShippedScenarios.scenario(json: call.object()) }
        try await call.server.startScenario(scenario)
        let problem = "the scenario was removed while it was being started"
        let view = try call.server.scenario(scenario.name).found(or: Problem(.conflict, problem))
        return .created(view, at: "/v1/scenarios/\(PathText.encoded(scenario.name))")
    }

    private static func unknown(_ name: String) -> Problem {
        Problem(.notFound, "no scenario \(name) is running: GET /v1/scenarios lists those that are", field: "name")
    }
}
