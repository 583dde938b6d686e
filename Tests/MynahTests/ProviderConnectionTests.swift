import APNsRules
import MynahCore
import MynahTestSupport
import MynahTrust
import MynahWire
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

/// Greets as a mail server does.
private final class Greeting: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "220 mail.example ESMTP ready\r\n")), promise: nil)
    }
}

/// The client of `mynah compare`, which sends one request after the other.
struct ProviderConnectionTests {
    private static let device = "/3/device/" + String(repeating: "0", count: 64)

    /// Calls `body` with a server and a target for TLS or cleartext.
    private func with(
        isCleartext: Bool = false, _ body: (Server, String, ProviderConnection.Target) async throws -> Void
    ) async throws {
        // The certificates are valid by the wall clock.
        try await ServerInABox.with(at: Instant(seconds: WallClock.now().milliseconds / 1000)) { box in
            let port = try #require(isCleartext ? box.server.cleartextPort : box.server.ports.first)
            let caPEM = isCleartext ? nil : Array(box.server.trust.caPEM.utf8)
            // One token: each signature is another, and would count as a change.
            let token = try box.server.trust.primaryKey.token(issuedAt: box.server.now)
            let target = ProviderConnection.Target(
                host: "127.0.0.1", port: port, caPEM: caPEM, timeout: TimeAmount(Patience.duration))
            try await body(box.server, token, target)
        }
    }

    private func open(_ target: ProviderConnection.Target) async throws -> ProviderConnection {
        try await ProviderConnection.open(target, on: NIOSingletons.posixEventLoopGroup.next())
    }

    private func push(
        _ connection: ProviderConnection, _ token: String, body: Int = 0
    ) async throws -> ProviderConnection.Exchange {
        try await connection.exchange(
            [
                HTTPField(":method", "POST"), HTTPField(":scheme", "https"), HTTPField(":authority", "localhost"),
                HTTPField(":path", Self.device), HTTPField("authorization", "bearer \(token)"),
                HTTPField("apns-topic", "com.example.app"), HTTPField("apns-push-type", "alert"),
            ], Array(repeating: 0x20, count: body) + Array(#"{"aps":{"alert":"hi"}}"#.utf8))
    }

    private func status(_ exchange: ProviderConnection.Exchange) -> String? {
        exchange.answer?.fields.first { $0.name == ":status" }?.value
    }

    @Test("the opening has the first SETTINGS, and the first accepted push the next ones", arguments: [false, true])
    func settings(isCleartext: Bool) async throws {
        try await with(isCleartext: isCleartext) { server, token, target in
            let connection = try await open(target)
            #expect(connection.opening.settings.map { $0.map(\.id) } == [[1, 3, 5, 6]])
            #expect(connection.opening.settings.first?[1].value == 1)
            let first = try await push(connection, token)
            #expect(status(first) == "200")
            #expect(first.settings.map { $0.map { [UInt32($0.id), $0.value] } } == [[[3, 1000]]])
            let second = try await push(connection, token)
            #expect((status(second), second.settings.count, second.streamID) == ("200", 0, 3))
            #expect(second.isOpen)
            await connection.close()
        }
    }

    @Test("a request that is answered before all of it was sent is followed by others")
    func earlyAnswer() async throws {
        try await with { server, token, target in
            let connection = try await open(target)
            // More than the window of a stream.
            for _ in 0..<3 {
                #expect(status(try await push(connection, token, body: 200_000)) == "413")
                #expect(status(try await push(connection, token)) == "200")
            }
            await connection.close()
        }
    }

    @Test("GOAWAY comes with its answer once, and what follows has none")
    func goAway() async throws {
        try await with { server, token, target in
            let rule = #"{"match": {}, "times": 1, "action": {"type": "goaway", "reason": "Shutdown"}}"#
            _ = try await server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
            let connection = try await open(target)
            let exchange = try await push(connection, token)
            let frame = try #require(exchange.goAway)
            #expect(frame.code == "NO_ERROR")
            #expect(String(decoding: frame.debugData, as: UTF8.self) == #"{"reason":"Shutdown"}"#)
            #expect(!exchange.isOpen)
            let next = try await push(connection, token)
            #expect(next.answer == nil)
            #expect(next.failure != nil && next.goAway == nil && !next.isOpen)
        }
    }

    @Test("a reset stream says its code, and the connection goes on")
    func reset() async throws {
        try await with { server, token, target in
            let rule = #"{"match": {}, "times": 1, "action": {"type": "resetStream", "code": "INTERNAL_ERROR"}}"#
            _ = try await server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
            let connection = try await open(target)
            let exchange = try await push(connection, token)
            #expect(exchange.failure?.contains("INTERNAL_ERROR") == true)
            #expect(exchange.isOpen)
            #expect(status(try await push(connection, token)) == "200")
            await connection.close()
        }
    }

    @Test("a reset connection at any moment is an error or an exchange without an answer")
    func resets() async throws {
        try await with { server, token, target in
            for length in stride(from: 0, to: 4_000, by: 125) {
                let rule = #"""
                    {"id": "f", "match": {"event": "accept"},
                     "action": {"type": "close", "how": "rst", "afterBytes": \#(length)}}
                    """#
                _ = try await server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
                do {
                    let connection = try await open(target)
                    var exchange = connection.opening
                    while exchange.isOpen { exchange = try await push(connection, token) }
                    #expect(exchange.answer != nil || exchange.failure != nil)
                } catch let failure as ProviderFailure {
                    #expect(!failure.problem.contains("no answer within"))
                } catch is NIOConnectionError {
                    // It was reset before it was connected.
                }
                #expect(try await server.removeFault("f"))
            }
        }
    }

    @Test("an answer that doesn't come in time is late")
    func lateness() async throws {
        try await with { server, token, target in
            let rule = #"{"match": {}, "action": {"type": "stall"}}"#
            _ = try await server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
            var target = target
            var seconds: Int64 = 1
            target.timeout = .seconds(seconds)
            var opened: ProviderConnection?
            while opened == nil {
                do { opened = try await open(target) } catch let failure as ProviderFailure {
                    // On a slow machine the handshake may take longer than that.
                    try #require(failure.problem == "no answer within \(seconds) s")
                    seconds *= 2
                    target.timeout = .seconds(seconds)
                }
            }
            let exchange = try await push(try #require(opened), token)
            #expect(exchange.isLate && !exchange.isOpen && exchange.answer == nil)
            #expect(exchange.failure == "no answer within \(seconds) s")
        }
    }

    @Test("a server that is silent is an error after the time-out")
    func silence() async throws {
        let server = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let failure = try await #require(throws: ProviderFailure.self) {
            _ = try await open(
                ProviderConnection.Target(host: "127.0.0.1", port: port, caPEM: nil, timeout: .seconds(1)))
        }
        #expect(failure.problem == "no answer within 1 s")
        try await server.close()
    }

    @Test("a server of another protocol is no HTTP/2, and has no TLS", arguments: [false, true])
    func otherProtocol(isTLS: Bool) async throws {
        try await with { _, _, trusted in
            let server = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Greeting()) }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            var target = trusted
            target.port = try #require(server.localAddress?.port)
            if !isTLS { target.caPEM = nil }
            let other = target
            let failure = try await #require(throws: ProviderFailure.self) {
                _ = try await self.open(other)
            }
            #expect(failure.problem == "the server doesn't speak \(isTLS ? "TLS" : "HTTP/2")")
            #expect(!failure.concernsCertificate)
            try await server.close()
        }
    }
}
