import Logging

/// Trust material without a server.
enum TrustFiles {
    static func make(_ settings: ServeSettings, logger: Logger) throws -> [String] {
        throw CommandFailure(.unavailable, "this build has no trust material")
    }
}
