internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scenarios`: rules that come and go by a script (`Documents#Scenarios`); several may run.
struct ScenarioRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/scenarios") { [state] in try ScenarioRoutes.list($0, state.server) },
            Route(.post, "/v1/scenarios") { [state] in try await ScenarioRoutes.start($0, state.server) },
            Route(.delete, "/v1/scenarios") { [state] call in
                try call.checkNoQuery()
                let removed = try await state.server.removeScenarios()
                return ScenarioRoutes.removed(removed.scenarios, removed.faults)
            },
            Route(.get, "/v1/scenarios/{name}") { [state] call in
                try call.checkNoQuery()
                let name = try call.pathText("name")
                guard let scenario = state.server.scenario(name) else { throw ScenarioRoutes.unknown(name) }
                return .json(scenario)
            },
            Route(.delete, "/v1/scenarios/{name}") { [state] call in
                try call.checkNoQuery()
                let name = try call.pathText("name")
                guard let faults = try await state.server.removeScenario(name) else {
                    throw ScenarioRoutes.unknown(name)
                }
                return ScenarioRoutes.removed(1, faults)
            },
        ]
    }

    private static func list(_ call: Call, _ server: Server) throws -> Response {
        var query = try call.query()
        let wantsShipped = try query.takeWord("shipped", ["true", "false"]) == "true"
        try query.finish(known: ["shipped"])
        let items = wantsShipped ? ShippedScenarios.all.map(\.json) : server.scenarios
        var list = ListPage(items: items, matched: items.count)
        list.lastSequence = server.journal.lastIssued
        return list.response(to: call)
    }

    private static func start(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let document = try RequestDocument(call.body)
        let scenario: Scenario
        do { scenario = try ShippedScenarios.scenario(json: .object(document.members)) } catch {
            throw Problem(error)
        }
        do { try await server.startScenario(scenario) } catch let error as InputError { throw Problem(error) }
        guard let view = server.scenario(scenario.name) else {
            throw Problem(.conflict, "the scenario was removed as soon as it had begun")
        }
        var response = Response.json(view, status: .created)
        response.headers[.location] = "/v1/scenarios/\(PathText.encoded(scenario.name))"
        return response
    }

    private static func removed(_ scenarios: Int, _ faults: Int) -> Response {
        .json(["removed": ["scenarios": .number(JSONNumber(scenarios)), "faults": .number(JSONNumber(faults))]])
    }

    private static func unknown(_ name: String) -> Problem {
        Problem(.notFound, "no scenario \(name) runs; GET /v1/scenarios lists those that do", field: "name")
    }
}
