import APNsRules
import Logging
import Mynah
import MynahComparison
import MynahCore
import MynahTestSupport
import MynahWire
import Testing

@testable import MynahTrust

/// A whole server in the test's process: everything in memory, free ports, a frozen clock.
struct ServerInABox {
    /// The signing key of another team that the server knows too.
    let otherKey: SigningKey
    /// A key that it does not know.
    let unknownKey: SigningKey
    /// The server.
    let server: Server
    // The case's own keys, by their names.
    private var keys: [String: SigningKey] = [:]
    // Of the case's certificate, where it can be revoked.
    private var serialNumber: String?

    /// Starts a server, calls `body` with it, and shuts it down.
    static func with<Result: Sendable>(
        _ settings: Settings = Settings(), at now: Instant = RuleWorld.start,
        _ body: (ServerInABox) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        settings.ports = [.init(port: 0)]
        settings.cleartextPort = 0
        settings.stateDirectory = nil
        settings.eventLoops = settings.eventLoops ?? 1
        settings.shutdownGrace = .milliseconds(200)
        // A test on a busy machine may pause for longer than a client that stalls.
        settings.handshakeTimeout = Patience.duration
        settings.requestTimeout = Patience.duration
        var logger = Logger(label: "mynah.test")
        logger.logLevel = .error
        let otherKey = try SigningKey.generate(team: "OTHERTEAM1")
        let server = try await Server(
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

    /// A clock that is frozen at a moment.
    static func frozen(at now: Instant) throws -> ClockState {
        var clock = ClockState()
        try clock.set(.frozen, now: now, wall: now)
        return clock
    }

    private init(otherKey: SigningKey, unknownKey: SigningKey, server: Server) {
        self.otherKey = otherKey
        self.unknownKey = unknownKey
        self.server = server
    }

    /// Adds the keys of a case, or replaces those with their names.
    mutating func make(_ fixtures: [FixtureKey]) async throws {
        for fixture in fixtures where keys[fixture.name] == nil {
            keys[fixture.name] = try SigningKey.generate(
                team: fixture.isOfOtherTeam ? otherKey.team : server.trust.primaryKey.team)
        }
        // A key that names another comes after it.
        for fixture in fixtures.sorted(by: { $0.related == nil && $1.related != nil }) {
            let key = try #require(keys[fixture.name])
            let related = try fixture.related.map { name in try #require(keys[name]).keyID }
            let new = NewKey(
                keyID: key.keyID, team: key.team, material: .publicKey(key.publicKey.pem),
                environment: fixture.environment, topics: fixture.topics, related: related)
            _ = try await server.replaceKey(key.keyID, by: new)
            if fixture.isRevoked { try await revoke(fixture.name) }
        }
    }

    /// Has the server's CA issue the case's certificate.
    mutating func order(_ fixture: FixtureCertificate, from start: Instant) async throws -> ClientIdentity {
        let topics = fixture.topics.map(\.name)
        #expect(fixture.subjectID == topics.first, "a CA of Mynah's issues no other")
        guard fixture.validFor == FixtureCertificate.usualValidity else {
            // Orders count by days, the case by seconds.
            let issued = try server.trust.issueProvider(
                ProviderCertificateRequest(
                    topics: topics, environment: fixture.environment, notBefore: start,
                    notAfter: start.advanced(by: fixture.validFor)), for: .generate(.ec))
            return ClientIdentity(
                chainPEM: Array(issued.certificatePEM.utf8), keyPEM: Array(try #require(issued.keyPEM).utf8))
        }
        var order = CertificateOrder(topics: topics)
        order.environment = fixture.environment
        order.keyType = .ec
        let issued = try await server.issueCertificate(order)
        serialNumber = issued.certificate.identity.serialNumber
        return ClientIdentity(
            chainPEM: Array(issued.certificate.pem.utf8),
            keyPEM: Array(try #require(issued.privateKeyPEM).utf8))
    }

    /// Revokes a key of the case, or its `certificate`.
    func revoke(_ name: String) async throws {
        if name == "certificate" {
            let serialNumber = try #require(serialNumber, "only a certificate that was ordered can be revoked")
            #expect(try await server.revokeCertificate(serialNumber: serialNumber)?.revokedAt == server.now)
            return
        }
        let key = try #require(keys[name])
        #expect(try await server.revokeKey(key.keyID)?.json["revokedAt"]?.string == server.now.rfc3339)
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
                case .named(let name): try #require(keys[name])
                }
            return try token.authorization(keyID: key.keyID, team: key.team, at: now) { bytes, isSHA512 in
                let privateKey = try #require(key.privateKey)
                return try privateKey.signature(of: bytes, isSHA512 ? .es512 : .es256)
            }
        }
    }
}
