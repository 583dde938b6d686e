public import APNsRules
internal import MynahCore

/// Faults that come and go by a script, for the whole server.
extension MynahServer {
    /// The names of the scenarios that come with Mynah, as `mynah scenario list --shipped` has them.
    public static var scenarioNames: [String] { ShippedScenarios.names }

    /// Lets a scenario begin that comes with Mynah; the faults of its steps that wait for nothing hold when it returns.
    ///
    /// - Throws: ``MynahError`` when there is none of this name, or it runs.
    public func startScenario(_ name: String) async throws(MynahError) {
        try await startScenario(["name": .string(name)])
    }

    /// Lets a scenario begin, as `POST /v1/scenarios` takes it.
    ///
    /// - Throws: ``MynahError`` that names the field, or says that one of the name runs.
    public func startScenario(_ document: JSONValue) async throws(MynahError) {
        let server = try changeable()
        try await MynahError.converting {
            try await server.startScenario(try ShippedScenarios.scenario(json: document))
        }
    }

    /// Takes a scenario away with the faults that it has added.
    ///
    /// - Throws: ``MynahError`` when none of this name runs.
    public func removeScenario(_ name: String) async throws(MynahError) {
        let server = try changeable()
        let removed = try await MynahError.converting { try await server.removeScenario(name) }
        guard removed != nil else { throw MynahError(.notFound, "no scenario \(name) runs") }
    }
}
