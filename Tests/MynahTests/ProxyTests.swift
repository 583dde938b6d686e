import APNsRules
import MynahCore
import MynahTrust
import MynahWire
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

/// A server's proxy over real sockets.
struct ProxyTests {
    private func settings(host: String = "localhost", proxyPort: Int = 0) -> Settings {
        var settings = Settings()
        settings.host = host
        settings.proxyPort = proxyPort
        return settings
    }

    /// A server with a proxy, and a client's certificate that is valid by the wall clock.
    private func withIdentity(_ body: (ServerInABox, ClientIdentity, Int) async throws -> Void) async throws {
        let start = Instant(seconds: WallClock.now().milliseconds / 1000)
        try await ServerInABox.with(settings(), at: start) { box in
            var order = CertificateOrder(topics: ["com.example.app"])
            order.keyType = .ec
            let issued = try await box.server.issueCertificate(order)
            let identity = ClientIdentity(
                chainPEM: Array(issued.certificate.pem.utf8),
                keyPEM: Array(try #require(issued.privateKeyPEM).utf8))
            try await body(box, identity, try #require(box.server.proxyPort))
        }
    }

    @Test(
        "a connection through the proxy reaches the server, in the environment of the requested name",
        arguments: [
            ("api.push.apple.com:443", APNsEnvironment.production), ("API.Sandbox.Push.Apple.com.:2197", .sandbox),
            ("api.development.push.apple.com:443", .sandbox), ("gateway.push.apple.com:2195", .sandbox),
        ])
    func environment(target: String, expected: APNsEnvironment) async throws {
        try await withIdentity { box, identity, port in
            // Its server name is localhost, which tells nothing.
            try await CertificateClient.with(
                port: port, caPEM: box.server.trust.caPEM, identity: identity, version: .tls13, asking: target
            ) { send in
                let connections = await box.server.connections()
                #expect(connections.map(\.environment) == [expected])
                #expect(connections.first?.peer.hasPrefix("127.0.0.1:") == true)
                let fields: [HTTPField] = [
                    HTTPField(":method", "POST"), HTTPField(":scheme", "https"),
                    HTTPField(":authority", "localhost"),
                    HTTPField(":path", "/3/device/" + String(repeating: "0a", count: 32)),
                    HTTPField("apns-push-type", "alert"),
                ]
                let reply = try await send((fields, Array(#"{"aps":{"alert":"hi"}}"#.utf8)))
                #expect(reply.status == 200)
            }
            #expect(box.server.journal.read { $0.counters.accepted } == 1)
        }
    }

    @Test("an own name reaches the environment of its port")
    func ownName() async throws {
        try await withIdentity { box, identity, port in
            let own = try #require(box.server.ports.first)
            try await CertificateClient.with(
                port: port, caPEM: box.server.trust.caPEM, identity: identity, version: .tls12,
                asking: "localhost:\(own)"
            ) { _ in
                let connections = await box.server.connections()
                #expect(connections.map(\.environment) == [.sandbox])
            }
        }
    }

    @Test("faults apply to connections through the proxy")
    func faults() async throws {
        try await withIdentity { box, identity, port in
            let rules = [
                ("refuse", #"{"id": "f", "match": {"event": "accept"}, "action": {"type": "refuse"}}"#),
                (
                    "environment",
                    #"{"id": "f", "match": {"event": "accept", "environment": "production"}, "#
                        + #""action": {"type": "close", "how": "rst"}}"#
                ),
                (
                    "tls",
                    #"{"id": "f", "match": {"event": "handshake"}, "action": {"type": "tls", "alert": "internal_error"}}"#
                ),
            ]
            for (name, rule) in rules {
                _ = try await box.server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
                await #expect(throws: (any Error).self, "\(name)") {
                    try await CertificateClient.with(
                        port: port, caPEM: box.server.trust.caPEM, identity: identity, version: .tls13,
                        asking: "api.push.apple.com:443"
                    ) { _ in }
                }
                #expect(box.server.fault("f")?.counters.fired == 1, "\(name)")
                #expect(try await box.server.removeFault("f"))
            }
        }
    }

    @Test("shutdown ends tunnels and proxy connections without a request")
    func shutDown() async throws {
        let clients = try await ServerInABox.with(settings()) { box in
            let port = try #require(box.server.proxyPort)
            let silent = try await RawConnection(port: port)
            // Through the proxy to itself, and there nothing is asked for.
            let tunnel = try await RawConnection(port: port)
            try await tunnel.write("CONNECT localhost:\(port) HTTP/1.1\r\n\r\n")
            #expect(try await tunnel.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            return [silent, tunnel]
        }
        for client in clients { try await client.closed() }
    }

    @Test("a proxy that other machines can reach refuses other targets")
    func notOpen() async throws {
        try await ServerInABox.with(settings(host: "0.0.0.0")) { box in
            let port = try #require(box.server.proxyPort)
            let client = try await RawConnection(port: port)
            try await client.write("CONNECT localhost:\(port) HTTP/1.1\r\n\r\n")
            let answer = try await client.read(until: "or name them in NO_PROXY.\n")
            #expect(
                answer.hasPrefix("HTTP/1.1 403 Forbidden (the proxy on 0.0.0.0:\(port) leads only to APNs, not to "))
            let other = try await RawConnection(port: port)
            try await other.write("CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n")
            #expect(try await other.read(until: "\r\n\r\n") == "HTTP/1.1 200 Connection established\r\n\r\n")
            try await client.close()
            try await other.close()
        }
    }

    @Test("a taken port is an error that names it")
    func taken() async throws {
        try await ServerInABox.with(settings()) { box in
            let port = try #require(box.server.proxyPort)
            await #expect(throws: ListenError.self) {
                try await ServerInABox.with(settings(proxyPort: port)) { _ in }
            }
        }
    }
}
