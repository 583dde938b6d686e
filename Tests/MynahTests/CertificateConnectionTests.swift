import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import MynahTrust
import NIOEmbedded
import Testing

@testable import Mynah
@testable import MynahWire

/// What a connection may do with the certificate that its handshake accepted.
struct CertificateConnectionTests {
    private struct World {
        let path: PushPath
        let connections: ConnectionTable
        let channel: EmbeddedChannel
    }

    private func world(port: APNsEnvironment? = nil) throws -> World {
        let trust = try TrustMaterial.open(
            stateDirectory: nil, tlsNames: [], authKeyFiles: [], teamID: nil, now: RuleWorld.start)
        let identity = TLSIdentity(
            chainPEM: Array(trust.serverChainPEM.utf8), keyPEM: Array(trust.serverKeyPEM.utf8),
            clientCAsPEM: Array(trust.caPEM.utf8))
        var logger = Logger(label: "mynah.test")
        logger.logLevel = .error
        let simulation = Simulation(
            settings: Settings(), seed: 1,
            journal: JournalStore(bounds: JournalBounds(entriesMax: 10, bytesMax: 10_000)) { _ in },
            trust: TrustStore(keys: trust.keyRing, authentication: .strict), log: ConnectionLog(logger),
            clock: try ServerInABox.frozen(at: RuleWorld.start))
        let channel = EmbeddedChannel()
        let loop = LoopState(
            wire: try WireLoop(identity),
            applier: PushApplier(
                simulation, clocks: ClockSet(server: try ServerInABox.frozen(at: RuleWorld.start))),
            eventLoop: channel.eventLoop)
        let connections = ConnectionTable { _ in }
        let path = PushPath(
            loop: loop, facts: ConnectionFacts(id: 7, peer: "127.0.0.1:1", portEnvironment: port),
            connections: connections, channel: channel)
        return World(path: path, connections: connections, channel: channel)
    }

    private func tls(_ scope: EnvironmentScope?, serverName: String? = nil) -> TLSFacts {
        let certificate = scope.map {
            CertificateIdentity(
                subject: "CN=Apple Push Services: com.example.app", subjectID: "com.example.app", topics: [],
                environment: $0, serialNumber: "0A", notBefore: Instant(seconds: 0), notAfter: Instant(seconds: 1))
        }
        return TLSFacts(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", serverName: serverName,
            applicationProtocol: "h2", listsNoHTTP2: false, clientCertificate: certificate)
    }

    @Test("a certificate connection is trusted from its first SETTINGS on, a token connection is not")
    func streamLimit() throws {
        let world = try world()
        #expect(world.path.connectionOpened(tls(.both)) == .serve(streamLimit: 1000))
        let entry = try #require(world.connections.entries().entries.first)
        #expect(entry.credential?.kind == .certificate)
        #expect(entry.credential?.subject == "CN=Apple Push Services: com.example.app")
        let other = try self.world()
        #expect(other.path.connectionOpened(tls(nil)) == .serve(streamLimit: 1))
        #expect(other.connections.entries().entries.first?.credential == nil)
    }

    @Test(
        "a certificate of the other environment is refused, whichever of port, server name and setting chose it",
        arguments: [
            (EnvironmentScope.sandbox, "api.push.apple.com", nil, true),
            (.production, "api.push.apple.com", nil, false),
            (.production, "api.sandbox.push.apple.com", nil, true),
            (.production, "api.sandbox.push.apple.com", APNsEnvironment.production, false),
            (.sandbox, "localhost", nil, false),
            (.production, "localhost", nil, true),
            (.both, "api.push.apple.com", nil, false),
        ])
    func environment(
        _ scope: EnvironmentScope, _ serverName: String, _ port: APNsEnvironment?, _ isRefused: Bool
    ) throws {
        let world = try world(port: port)
        let decision = world.path.connectionOpened(tls(scope, serverName: serverName))
        #expect(decision == (isRefused ? .refuse(.badCertificateEnvironment) : .serve(streamLimit: 1000)))
        #expect(world.connections.entries().entries.isEmpty == isRefused)
    }
}
