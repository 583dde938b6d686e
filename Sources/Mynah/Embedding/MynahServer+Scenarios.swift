public import APNsRules
internal import MynahCore

/// Faults that come and go by a script, for the whole server.
extension MynahServer {
    /// The names of the scenarios that come with Mynah, as `mynah scenario list --shipped` has them.
    public static var scenarioNames: [String] { ShippedScenarios.names }

    /// Starts a scenario that comes with Mynah; the faults of its first steps, those without a condition, hold when this
    /// returns.
    public func startScenario(_ name: String) async throws(MynahError) {
        try await startScenario(["name": .string(name)])
    }

    /// Starts a scenario, as `POST /v1/scenarios` takes it.
    public func startScenario(_ document: JSONValue) async throws(MynahError) {
        let server = try changeable()
        try await MynahError.converting {
            try await server.startScenario(try ShippedScenarios.scenario(json: document))
        }
    }

    /// Removes a scenario with the faults that it has added.
    public func removeScenario(_ name: String) async throws(MynahError) {
        let server = try changeable()
        let removed = try await MynahError.converting { try await server.removeScenario(name) }
        guard removed != nil else { throw MynahError(.notFound, "no scenario \(name) runs") }
    }
}
