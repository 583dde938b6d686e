import APNsRules
import Logging
import Mynah
import MynahClient
import MynahControl
import MynahCore
import MynahSystem
import MynahTrust

enum ServerRuntime {
    /// Starts push side and control plane, runs `body` once both listen, and then shuts both down.
    static func withServer<Result: Sendable>(
        _ settings: ServeSettings, logger: Logger, body: @Sendable (ServerFacts) async throws -> Result
    ) async throws -> Result {
        try ExportFolder(settings)?.clear()
        let watch = settings.watchesFixtures ? try FixtureWatch(settings, logger: logger) : nil
        let (server, control) = try await start(settings, logger)
        let watching = watch.map { watch in Task { await watch.run(server) } }
        defer { watching?.cancel() }
        server.onGiveUp { HostProcess.end(.nothingDue) }
        let reports = settings.logsPushes && logger.logLevel <= .info
        let reporter = reports ? Task { await PushReporter(server: server, logger: logger).run() } : nil
        let result: Result
        do {
            try await untilReady(server)
            result = try await body(facts(of: server, control: control, settings: settings))
        } catch {
            reporter?.cancel()
            await shutDown(server, control, logger: logger)
            throw error
        }
        do { try await shutDown(server, control) } catch {
            reporter?.cancel()
            throw error
        }
        // It reports the last pushes when it is cancelled.
        reporter?.cancel()
        await reporter?.value
        return result
    }

    /// How often a server that isn't ready yet is looked at.
    private static let readyPause: Duration = .milliseconds(50)

    /// Waits until the server takes changes.
    ///
    /// One of a cluster whose clock is wrong doesn't, and whoever waits for its ready file would be refused. The log says
    /// why.
    private static func untilReady(_ server: Server) async throws {
        while server.changeProblem != nil { try await Task.sleep(for: readyPause) }
    }

    private static func start(_ settings: ServeSettings, _ logger: Logger) async throws -> (Server, ControlServer) {
        if let path = settings.fixtures, settings.lacksFixtures {
            logger.info("no fixtures: the folder \(path) of MYNAH_FIXTURES does not exist")
        }
        let fixtures = try FixtureFiles(of: settings)
        let scenarios = try settings.scenarios.map { try ScenarioSource($0) }
        do {
            var serverSettings = settings.server
            serverSettings.keys += fixtures.keys
            serverSettings.portOwner = LocatorFolder.portOwner()
            let server = try await Server(serverSettings, logger: logger, clock: try fixtures.clock(wall: Terminal.now))
            do {
                let control = try await ControlServer.start(server, settings.controlSettings, logger: logger) { _ in
                    do {
                        let unused = try await server.load(
                            channels: fixtures.channels, devices: fixtures.devices, faults: fixtures.faults,
                            scenarios: scenarios.map(\.scenario))
                        warn(ofUnused: unused, logger)
                    } catch let error as InputError {
                        if let failure = ScenarioSource.failure(error, of: scenarios) { throw failure }
                        throw error
                    }
                }
                try await server.setDataOwner(control.url)
                return (server, control)
            } catch {
                await shutDown(server, nil, logger: logger)
                throw error
            }
        } catch let error as InputError {
            throw fixtures.failure(error)
        } catch {
            throw CommandFailure(error) ?? error
        }
    }

    private static func warn(ofUnused parts: [String], _ logger: Logger) {
        guard !parts.isEmpty else { return }
        logger.warning(
            """
            the run goes on with the \(parts.joined(separator: ", ")) of its first start: those given now are others, \
            and are not used; for them, begin a new folder (--data)
            """)
    }

    // Readiness ends first, so that no further pushes come; the control API ends last, so that the journal stays
    // readable.
    private static func shutDown(_ server: Server, _ control: ControlServer?) async throws {
        control?.setReadiness(.stopping)
        var teardown = Teardown()
        await teardown.run { try await server.shutDown() }
        await control?.shutDown()
        try teardown.finish()
    }

    // After an error, which the caller reports; an error of the shutdown is only logged.
    private static func shutDown(_ server: Server, _ control: ControlServer?, logger: Logger) async {
        do { try await shutDown(server, control) } catch { logger.error("the server did not stop: \(error)") }
    }

    private static func facts(of server: Server, control: ControlServer, settings: ServeSettings) -> ServerFacts {
        let trust = server.trust
        var ready = ReadyFile(ports: server.ports, controlPort: control.port, controlURL: control.url, pid: getpid())
        ready.channelsPorts = server.channelsPorts
        ready.webPushPort = server.webPushPort
        ready.cleartextPort = server.cleartextPort
        ready.proxyPort = server.proxyPort
        ready.caFile = trust.caFile
        ready.caBundleFile = trust.caBundleFile
        ready.keyFile = trust.keyFile
        ready.keyID = trust.primaryKey.keyID
        ready.teamID = trust.primaryKey.team
        return ServerFacts(
            clientHost: ServerFacts.clientHost(bound: settings.server.host), ready: ready, seed: server.seed,
            continuesRun: server.continuesRun,
            proxyURL: server.proxyPort.map { ServerFacts.httpURL(bound: server.boundHost, port: $0) },
            developmentKeyName: trust.developmentKey?.fileName)
    }
}
