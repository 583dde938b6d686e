import Logging
import Mynah
import MynahTestSupport

@testable import MynahCLI

/// A server in the test's process: everything in memory, free ports, and as much time for its clients as a test waits.
enum TestServer {
    /// Runs a test with a server, and stops the server.
    static func with<Output: Sendable>(
        _ change: (inout ServeSettings) -> Void = { _ in }, _ test: @Sendable (ServerFacts) async throws -> Output
    ) async throws -> Output {
        var settings = ExecCommand.defaults
        settings.server.stateDirectory = nil
        settings.server.seed = 7
        settings.server.eventLoops = 1
        settings.server.shutdownGrace = .milliseconds(200)
        // A client of a test may get its thread late.
        settings.server.handshakeTimeout = Patience.duration
        settings.server.requestTimeout = Patience.duration
        change(&settings)
        let logger = Logger(label: "test") { _ in StderrLogHandler(format: .text, logLevel: .critical) }
        return try await ServerRuntime.withServer(settings, logger: logger, body: test)
    }
}
