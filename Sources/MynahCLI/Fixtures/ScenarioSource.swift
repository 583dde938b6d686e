internal import APNsRules
internal import Mynah
internal import MynahClient
internal import MynahControl
internal import MynahCore

/// A scenario of the command line: a shipped one by its name, or one from a file.
struct ScenarioSource: Sendable {
    /// The scenario.
    let scenario: Scenario
    // What it was read from; `nil` for one that is shipped.
    private let document: LocatedDocument?

    /// Finds a scenario: what is called as a shipped one is that, all else is a file, also `./NAME`.
    ///
    /// - Parameter place: What names the flag that it is from, in errors.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(_ text: String, place: String = "--scenario: ") throws(CommandFailure) {
        if let shipped = ShippedScenarios.named(text) {
            self.scenario = shipped
            self.document = nil
            return
        }
        let document = try ScenarioSource.document(text, place)
        do throws(InputError) { self.scenario = try Scenario(json: document.value) } catch {
            throw ScenarioSource.failure(error, document)
        }
        self.document = document
    }

    /// Starts it, now and after each reset.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` when the server does not take it.
    func start(on server: Server) async throws {
        do { try await server.load(scenario) } catch let error as InputError {
            guard let document else {
                throw CommandFailure(.configuration, "--scenario \(scenario.name): \(error.problem)")
            }
            throw ScenarioSource.failure(error, document)
        }
    }

    private static func document(_ path: String, _ place: String) throws(CommandFailure) -> LocatedDocument {
        let text: String?
        do throws(ClientError) { text = try FileAccess.readText(path) } catch {
            throw CommandFailure(.configuration, place + error.message)
        }
        guard let text else {
            throw CommandFailure(
                .configuration,
                place + "there is no file \(path), and no shipped scenario is called so"
                    + NearestName.suggestion(for: path, among: ShippedScenarios.names)
                    + "\nshipped: \(ShippedScenarios.names.joined(separator: ", "))")
        }
        return try LocatedDocument(text, path: path)
    }

    private static func failure(_ error: InputError, _ document: LocatedDocument) -> CommandFailure {
        YAMLText.failure(document.path, document.line(of: error.field), error.description)
    }
}
