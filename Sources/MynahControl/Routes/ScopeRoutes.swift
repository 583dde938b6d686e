internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scopes`: namespaces that let tests share one server; a scope exists while something uses it
/// (`ControlAPI#Scopes`).
enum ScopeRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/scopes", "listScopes", "List the scopes that have devices or fault rules",
            answers: [
                .list(
                    of: [
                        "type": "object", "required": ["name", "devices", "faults"],
                        "properties": [
                            "name": ["type": "string"], "devices": ["type": "integer"], "faults": ["type": "integer"],
                        ],
                    ], "All scopes, by name.")
            ]
        ) { call in
            let scopes = await call.server.scopes().map { scope -> JSONValue in
                [
                    "name": .string(scope.name), "devices": .number(JSONNumber(scope.devices)),
                    "faults": .number(JSONNumber(scope.faults)),
                ]
            }
            return .json(["items": .array(scopes)])
        },
        Route(
            .delete, "/v1/scopes/{name}", "deleteScope",
            "Remove everything that belongs to a scope: devices, their pushes, fault rules, clock",
            parameters: [.path("name", "The scope's name.", .reference("Scope"))],
            answers: [.removed("What was removed; nothing for a scope that is not in use.")]
        ) { call in
            let name = try call.pathText("name")
            try ScopeName.check(name, at: "name")
            // Not an error for an unused scope: a test that cleans up need not know what it has made.
            return .json(["removed": try await call.server.removeScope(name)])
        },
    ]
}
