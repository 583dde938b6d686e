import APNsRules
import Mynah
import Testing

@Suite("The environment of what names none")
struct UsualEnvironmentTests {
    private typealias Port = Settings.PortBinding

    @Test("is the server's, or that of its ports if all belong to the other one")
    func usual() {
        let cases: [([Port], APNsEnvironment, APNsEnvironment)] = [
            ([Port(port: 0)], .sandbox, .sandbox),
            ([Port(port: 0)], .production, .production),
            ([Port(port: 0, environment: .production)], .sandbox, .production),
            ([Port(port: 0, environment: .sandbox)], .production, .sandbox),
            // Both are served.
            ([Port(port: 0, environment: .production), Port(port: 0, environment: .sandbox)], .sandbox, .sandbox),
            (
                [Port(port: 0, environment: .sandbox), Port(port: 0, environment: .production)], .production,
                .production
            ),
            ([Port(port: 0, environment: .production), Port(port: 0)], .sandbox, .sandbox),
        ]
        for (ports, environment, expected) in cases {
            var settings = Settings()
            settings.ports = ports
            settings.environment = environment
            #expect(settings.usualEnvironment == expected, "\(ports) \(environment)")
        }
    }

    @Test("a port without TLS is of the server's environment, and the proxy leads to both")
    func furtherListeners() {
        var settings = Settings()
        settings.ports = [Port(port: 0, environment: .production)]
        settings.cleartextPort = 0
        #expect(settings.usualEnvironment == .sandbox)
        settings.cleartextPort = nil
        settings.proxyPort = 0
        #expect(settings.usualEnvironment == .sandbox)
    }

    @Test("is that of devices and channels of a test's own server")
    func embedded() async throws {
        var settings = Settings.embedded
        settings.environment = .production
        let server = try await MynahServer.start(settings)
        do {
            let device = try await server.addDevice(app: "com.example.app")
            #expect(device.apps.map(\.environment) == [.production])
            #expect(try await server.createChannel("com.example.app").environment == .production)
            let other = try await server.addDevice(NewDevice(apps: ["com.example.app"], environment: .sandbox))
            #expect(other.apps.map(\.environment) == [.sandbox])
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }
}
