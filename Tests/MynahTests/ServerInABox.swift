import APNsRules
import Logging
import Mynah
import MynahCore
import MynahTestSupport
import Testing

@testable import MynahTrust

/// A whole server in the test's process: everything in memory, free ports, a clock that stands.
struct ServerInABox {
    /// The signing key of another team that the server knows too.
    let otherKey: SigningKey
    /// A key that it does not know.
    let unknownKey: SigningKey
    /// The server.
    let server: Server

    /// Starts a server, lends it, and shuts it down.
    static func with<Result: Sendable>(
        _ settings: Settings = Settings(), at now: Instant = RuleWorld.start,
        _ body: (ServerInABox) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        settings.ports = [.init(port: 0)]
        settings.cleartextPort = 0
        settings.stateDirectory = nil
        settings.eventLoops = 1
        settings.shutdownGrace = .milliseconds(200)
        var logger = Logger(label: "mynah.test")
        logger.logLevel = .error
        let otherKey = try SigningKey.generate(team: "OTHERTEAM1")
        let server = try await Server.start(
            settings, logger: logger, clock: try frozen(at: now), furtherKeys: [otherKey])
        let box = ServerInABox(otherKey: otherKey, unknownKey: try SigningKey.generate(), server: server)
        do {
            let result = try await body(box)
            try await server.shutDown()
            return result
        } catch {
            try await server.shutDown()
            throw error
        }
    }

    /// A clock that stands at a moment.
    static func frozen(at now: Instant) throws -> ClockState {
        var clock = ClockState()
        try clock.set(.frozen, now: now, wall: now)
        return clock
    }

    /// The `authorization` value of a fixture's credential, really signed.
    func authorization(of credential: FixtureRequest.Credential, at now: Instant) throws -> String? {
        switch credential {
        case .none: return nil
        case .raw(let value): return value
        case .token(let token):
            let key =
                switch token.key {
                case .known: server.trust.primaryKey
                case .otherTeam: otherKey
                case .unknown: unknownKey
                }
            return try token.authorization(keyID: key.keyID, team: key.team, at: now) { bytes, isSHA512 in
                let privateKey = try #require(key.privateKey)
                return try privateKey.signature(of: bytes, hash: isSHA512 ? .sha512 : .sha256)
            }
        }
    }
}
