public import APNsRules
public import Logging
public import Mynah
internal import MynahCore

/// A server in a test's own process, with the control API, the web page and fixtures.
///
/// ```swift
/// let apns = try await MynahServer.start(control: .embedded, fixtures: ["devices": [["id": "kim"]]])
/// print(apns.control?.url ?? "")
/// try await apns.stop()
/// ```
extension MynahServer {
    /// Starts a server and its control API, and returns when both accept connections and the fixtures are loaded.
    ///
    /// ``MynahServer/stop()`` stops both. ``ControlSettings/embedded`` binds a free port on loopback. `fixtures` is the
    /// content of a `--fixtures` file; keys are given by their text and not by a file name.
    /// - Throws: ``MynahError``: ``MynahError/Code/badSetting`` for an invalid setting or for invalid fixtures, with
    ///   the JSON pointer to the error; ``MynahError/Code/portUnavailable`` for a port that can't be bound. The server
    ///   is stopped then.
    public static func start(
        _ settings: Settings = .embedded, control: ControlSettings, fixtures: JSONValue = [:], logger: Logger? = nil
    ) async throws(MynahError) -> MynahServer {
        do {
            let problem = "files can't be used here: expected the key's text in publicKey or privateKey"
            let fixtures = try Fixtures(
                fixtures, tokenByteCounts: settings.rules.tokenByteCounts, environment: settings.usualEnvironment
            ) { _ in
                .failure(InputError(.invalid, problem))
            }
            var settings = settings
            settings.keys += fixtures.keys
            return try await start(
                settings, clock: { try fixtures.clock?.state(wall: $0) ?? ClockState() }, logger: logger
            ) { server, logger in
                try await ControlServer.start(server, control, logger: logger) { control in
                    try await server.load(
                        channels: fixtures.channels, devices: fixtures.devices, faults: fixtures.faults)
                }
            }
        } catch let error as InputError {
            throw MynahError(.badSetting, field: error.field, "fixtures: \(error)")
        } catch let error as ControlError {
            throw MynahError(error.code == .portUnavailable ? .portUnavailable : .badSetting, error.description)
        } catch {
            throw MynahError(error)
        }
    }

    /// The control API, if the server was started with one.
    public var control: ControlServer? { companion as? ControlServer }
}

extension ControlSettings {
    /// The defaults for tests: a free port on loopback, and no token.
    public static var embedded: ControlSettings {
        var settings = ControlSettings()
        settings.port = 0
        return settings
    }
}

extension ControlServer: ServerCompanion {
    package func serverWillStop() { setReadiness(.stopping) }
    package func end() async { await shutDown() }
}
