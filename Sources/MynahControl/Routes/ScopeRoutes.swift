internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/scopes`, namespaces that let tests share one server (`ControlAPI#Scopes`), and `/v1/reset`, which restores the
/// state after start.
enum ScopeRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/scopes", id: "listScopes", summary: "List the scopes that have devices or fault rules",
            parameters: CallParameter.page("by name"), answers: [.page(of: "ScopeUse")], problems: [.evicted]
        ) { call in
            let scopes = await call.server.scopes()
            return try ListPage(scopes, to: call, id: \.name, json: \.json).response(to: call)
        },
        Route(
            .delete, "/v1/scopes/{name}", id: "deleteScope",
            summary: "Remove everything that belongs to a scope: devices, their pushes, fault rules, clock",
            parameters: [.path("name", "The scope's name.", schema: .reference("Scope"))],
            answers: [.removed("What was removed; nothing for a scope that is not in use.")]
        ) { call in
            let name = try call.pathText("name")
            try ScopeName.check(name, at: "name")
            // Not an error for an unused scope, so that a test can always clean up.
            return .json(RemovedCounts(try await call.server.removeScope(name)).json)
        },
        Route(
            .post, "/v1/reset", id: "reset", summary: "Return to the state after start",
            details: """
                Restores the devices, rules and scenarios of --fixtures and --scenario that belong to what is reset. \
                Connections stay open unless only names them. Sequence numbers continue. /v1/events no longer reports \
                removed pushes; its event reset says what was removed. Provider certificates are not part of a reset: \
                issued ones stay valid, and a revocation is final.

                After a reset the same seed makes the same choices again. A fault rule's random choices depend on the \
                seed, its ID (for a rule without one, its position among such rules of its scope), the position of the \
                connection among those that the rule has met, and the position of the request among those on that \
                connection that the rule matches. All of these count from when the rule was made, so this also holds \
                for the rules of a scope after a reset of that scope. A generated apns-id or apns-unique-id depends on \
                the seed, the position of the connection among those that have sent requests since the start or the \
                last reset of notifications, and the request's position on it. An issued device token depends on the \
                seed, the device's ID, the app, and how many tokens the app had before.
                """,
            body: .optional(RequestSchemas.reset), answers: [.removed()]
        ) { call in
            let reader = try call.reader(RequestSchemas.reset.schema)
            let scope = reader.text("scope")
            let counts = try await call.server.reset(parts(reader, scope), ofScope: scope)
            return .json(RemovedCounts(counts).json)
        },
    ]

    /// The parts that `only` names, or `nil` without it.
    private static func parts(_ reader: ObjectReader, _ scope: String?) throws(InputError) -> Set<ResetPart>? {
        guard let parts = reader.texts("only")?.compactMap({ ResetPart(rawValue: $0) }) else { return nil }
        if scope != nil, let index = parts.firstIndex(where: { !$0.hasScope }) {
            throw InputError(
                at: reader.place("only", index),
                "\(parts[index].rawValue) can't be reset for one scope: they belong to the whole server",
                allowed: ResetPart.allCases.filter(\.hasScope).map(\.rawValue))
        }
        return Set(parts)
    }
}
