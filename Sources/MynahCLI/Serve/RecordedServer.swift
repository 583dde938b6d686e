import Logging
import Mynah
import MynahClient
import MynahControl
import MynahCore
import MynahStore
import NIOCore
import NIOPosix

/// The control API over a recorded run, without ports for pushes.
enum RecordedServer {
    /// Opens a run, calls `body` with its control API, and closes it.
    ///
    /// - Parameter leftOut: Changes that are not applied.
    static func with<Result: Sendable>(
        _ path: String, at place: RecordedRun.Place = .end,
        leavingOut leftOut: [ReplayMark.Place] = [], controlPort: Int = 0, token: String? = nil,
        body: (ControlServer, RecordedPlace) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "mynah") { _ in StderrLogHandler(format: .text, logLevel: .warning) }
        // Not on a thread of the tasks, because one of those has to take a signal meanwhile.
        let viewer = try await NIOSingletons.posixBlockingThreadPool.runIfActive {
            try RecordedViewer(reading: path, leavingOut: leftOut, logger: logger)
        }
        let server = try await viewer.server(at: place)
        guard let place = server.recorded?.place else { preconditionFailure("a recorded run has a place") }
        if let difference = place.difference { logger.warning("\(difference.warning)") }
        let control: ControlServer
        do {
            var settings = ControlSettings()
            settings.port = controlPort
            settings.token = token
            control = try await ControlServer.start(
                server, settings, logger: logger, portOwner: LocatorFolder.portOwner())
        } catch {
            // The first error is the one to report.
            do { try await server.shutDown() } catch let failure { logger.error("the run was not closed: \(failure)") }
            throw error
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(control, place)) } catch { result = .failure(error) }
        await control.shutDown()
        try await control.server.shutDown()
        try await viewer.end()
        return try result.get()
    }

    /// Calls `body` with a client of a run, which nobody else can ask.
    static func withClient<Result: Sendable>(
        of path: String, body: (ControlClient) async throws -> Result
    ) async throws -> Result {
        let token = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
        return try await with(path, token: token) { control, _ in
            try await body(ControlClient(url: ControlURL(control.url), token: token))
        }
    }
}

extension ServerOptions {
    /// Calls `body` with a client of the server or, with a path, of a recorded run; `option` is that of the path.
    func withClient(
        orRun path: String?, _ option: String, body: (ControlClient) async throws -> Void
    ) async throws {
        guard let path else { return try await body(client()) }
        guard url == nil, readyFile == nil else {
            throw CommandFailure(.usage, "\(option) names a recorded run: leave out --url and --ready-file")
        }
        try await RecordedServer.withClient(of: path, body: body)
    }
}
