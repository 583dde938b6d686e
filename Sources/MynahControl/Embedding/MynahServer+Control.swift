public import APNsRules
public import Logging
public import Mynah
internal import MynahCore

/// A server in the process of a test, with the half of it that people and other programs see: the control API, the page,
/// and what fixtures give.
///
/// ```swift
/// let apns = try await MynahServer.start(control: .embedded, fixtures: ["devices": [["id": "kim"]]])
/// print(apns.control?.url ?? "")
/// try await apns.stop()
/// ```
extension MynahServer {
    /// Starts a server and its control API, and returns when both accept connections and the fixtures are in.
    ///
    /// ``MynahServer/stop()`` ends both.
    /// - Parameters:
    ///   - settings: Those of `mynah serve` that concern pushes.
    ///   - control: Those that concern the control API; ``ControlSettings/embedded`` for a free port of this machine.
    ///   - fixtures: What a file of `--fixtures` holds; a key is given by its text and not by the name of a file.
    ///   - logger: Where warnings go; `nil`: nowhere.
    /// - Throws: ``MynahError``: ``MynahError/Code/badSetting`` for a setting that can't be, and for fixtures with the
    ///   JSON pointer to what is wrong, ``MynahError/Code/portUnavailable`` for a port that can't be bound. Nothing of
    ///   the server is left then.
    public static func start(
        _ settings: Settings = .embedded, control: ControlSettings, fixtures: JSONValue = [:], logger: Logger? = nil
    ) async throws(MynahError) -> MynahServer {
        do {
            let fixtures = try Fixtures(fixtures, tokenByteCounts: settings.rules.tokenByteCounts) { _ in
                .failure(InputError(at: "", "a file can't be named here; publicKey or privateKey takes its text"))
            }
            var settings = settings
            settings.keys += fixtures.keys
            return try await start(
                settings, clock: { try fixtures.clock?.state(wall: $0) ?? ClockState() }, logger: logger
            ) { server, logger in
                try await ControlServer.start(server, control, logger: logger) { control in
                    try await server.load(fixtures.devices)
                    try server.load(fixtures.faults)
                }
            }
        } catch {
            throw MynahError(ofStart: error)
        }
    }

    /// The control API of a server that was started with one.
    public var control: ControlServer? { companion as? ControlServer }
}

extension ControlSettings {
    /// What a test wants unless it says otherwise: a free port of this machine, and no token.
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

extension MynahError {
    fileprivate init(ofStart error: any Error) {
        switch error {
        case let error as InputError: self.init(.badSetting, field: error.field, "fixtures: \(error)")
        case let error as ControlError:
            self.init(error.code == .portUnavailable ? .portUnavailable : .badSetting, error.description)
        default: self.init(error)
        }
    }
}
