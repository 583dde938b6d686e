internal import APNsRules
internal import Mynah
internal import MynahClient
internal import MynahControl
internal import MynahCore

/// A scenario of the command line: a shipped one by its name, or one from a file.
struct ScenarioSource: Sendable {
    let scenario: Scenario
    // The file; `nil` for a shipped scenario.
    private let document: LocatedDocument?

    /// Finds a scenario: the name of a shipped one, or a file; `./NAME` is always a file.
    ///
    /// - Parameter origin: The flag that names it, for messages.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(_ text: String, from origin: String? = "--scenario") throws(CommandFailure) {
        if let shipped = ShippedScenarios.named(text) {
            self.scenario = shipped
            self.document = nil
            return
        }
        guard FileAccess.exists(text) else {
            throw CommandFailure(
                .configuration,
                (origin.map { $0 + ": " } ?? "") + "\(text) is neither a file nor a shipped scenario"
                    + NearestName.suggestion(for: text, among: ShippedScenarios.names)
                    + "\nshipped: \(ShippedScenarios.names.joined(separator: ", "))")
        }
        let document = try LocatedDocument(file: text, from: origin)
        do { self.scenario = try Scenario(json: document.value) } catch {
            throw document.failure(error)
        }
        self.document = document
    }

    /// Starts the scenario, now and after each reset.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` if the server refuses it.
    func start(on server: Server) async throws {
        do { try await server.load(scenario) } catch let error as InputError {
            guard let document else {
                throw CommandFailure(.configuration, "--scenario \(scenario.name): \(error.problem)")
            }
            throw document.failure(error)
        }
    }
}
