import APNsRules
import MynahTrust
import NIOCore
import Testing

@testable import Mynah
@testable import MynahWire

/// Which targets of a proxy lead to the server.
struct ProxyNamesTests {
    private static let names = ProxyNames(
        apple: ServerNames.apple, own: ["localhost", "127.0.0.1", "::1", "Mynah.test", "*.push.test"],
        ports: [2197: nil, 2198: .production])

    private func leads(_ host: String, _ port: Int) -> Bool {
        Self.names.binding(of: ConnectTarget(host: host, port: port)) != nil
    }

    @Test("each of Apple's names leads here, whatever the port", arguments: ServerNames.apple)
    func apple(name: String) {
        for port in [1, 443, 2195, 2196, 2197, 65_535] { #expect(leads(name, port)) }
        #expect(!leads("x" + name, 443))
        #expect(!leads(name + ".test", 443))
    }

    @Test(
        "an own name leads here on the server's TLS ports",
        arguments: ["localhost", "127.0.0.1", "::1", "mynah.test", "a.push.test"])
    func own(name: String) {
        #expect(leads(name, 2197))
        #expect(leads(name, 2198))
        #expect(!leads(name, 443))
    }

    @Test(
        "other names and ports do not lead here",
        arguments: [
            "example.com", "apple.com", "push.apple.com", "push.test", "a.b.push.test", "com", "localhost.localhost",
        ])
    func others(name: String) {
        #expect(!leads(name, 2197))
    }

    @Test(
        "the environment is that of Apple's name or of the own port",
        arguments: [
            ("api.push.apple.com", 443, APNsEnvironment.production), ("api.sandbox.push.apple.com", 2197, .sandbox),
            ("api.development.push.apple.com", 443, .sandbox), ("localhost", 2198, .production),
            ("localhost", 2197, nil), ("gateway.push.apple.com", 2195, nil),
        ] as [(String, Int, APNsEnvironment?)])
    func environment(host: String, port: Int, expected: APNsEnvironment?) {
        guard case .tls(let bound, let asked)? = Self.names.binding(of: ConnectTarget(host: host, port: port)) else {
            Issue.record("\(host):\(port) does not lead here")
            return
        }
        #expect((bound ?? asked) == expected)
    }

    @Test(
        "loopback addresses are recognised",
        arguments: [
            ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", false),
            ("::", false), ("10.0.0.1", false), ("128.0.0.1", false), ("fe80::1", false), ("::ffff:10.0.0.1", false),
        ])
    func loopback(address: String, expected: Bool) throws {
        #expect(try SocketAddress(ipAddress: address, port: 1).isLoopback == expected)
    }
}
