internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scopes`: what lets tests share one server; a scope exists by being used (`ControlAPI#Scopes`).
struct ScopeRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/scopes") { [state] call in
                try call.checkNoQuery()
                let scopes = await state.server.scopes()
                return .json([
                    "items": .array(
                        scopes.map {
                            [
                                "name": .string($0.name), "devices": .number(JSONNumber($0.devices)),
                                "faults": .number(JSONNumber($0.faults)),
                            ]
                        })
                ])
            },
            Route(.delete, "/v1/scopes/{name}") { [state] call in
                try call.checkNoQuery()
                let name = try ScopeReading.name(try call.pathText("name"), field: "name")
                // A scope that nothing uses is no error: a test that cleans up need not know what it has made.
                return .json(["removed": try await state.server.removeScope(name)])
            },
        ]
    }
}
