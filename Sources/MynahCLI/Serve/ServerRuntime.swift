import Logging
import MynahClient

/// The one place where settings become a running server.
enum ServerRuntime {
    /// Starts push side and control plane, runs `body` once both listen, and shuts both down after it.
    ///
    /// - Throws: ``CommandFailure`` when a port is taken or trust material can't be used; what `body` throws.
    static func withServer<Result: Sendable>(
        _ settings: ServeSettings, logger: Logger, body: @Sendable (ServerFacts) async throws -> Result
    ) async throws -> Result {
        throw CommandFailure(.unavailable, "this build has no server")
    }
}
