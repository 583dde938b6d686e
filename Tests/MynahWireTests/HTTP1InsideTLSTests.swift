import APNsRules
import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

/// A service that speaks HTTP/1.1 besides HTTP/2: ALPN decides, or without it the first bytes.
@Suite("HTTP/1.1 inside TLS")
struct HTTP1InsideTLSTests {
    private final class Responder: PushResponder {
        var openings: [TLSFacts?] = []
        var problems: [ConnectionProblem] = []
        var requests: [String] = []
        var bodies: [[UInt8]] = []
        var trustCount = 0
        var endCount = 0
        var speaksHTTP1: Bool { true }

        func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
            .failure(CertificateFault(.unknownCA, "no certificate was asked for"))
        }
        func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision { .proceed }
        func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision {
            openings.append(tls)
            return .serve(streamLimit: 100)
        }
        func clientTrusts() { trustCount += 1 }
        func bytesArrived() {}
        func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse {
            let fields = request.headers.fields(authorization: nil)
            requests.append(fields.filter { $0.name.hasPrefix(":") }.map(\.value).joined(separator: " "))
            bodies.append(request.body)
            return .reply(Reply(status: 201, id: NotificationID(generated: 1), fields: nil, body: []))
        }
        func requestAbandoned(stream: Int32) {}
        func connectionFailed(_ problem: ConnectionProblem) { problems.append(problem) }
        func connectionClosed(_ traffic: ConnectionTraffic) { endCount += 1 }
    }

    /// A client and a server, in memory.
    private struct Pair {
        let client: TestClient
        let channel = EmbeddedChannel()
        let responder = Responder()

        init(_ version: TestClient.Version, protocols: [String]) throws {
            let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
            let handler = try ConnectionHandler(
                loop: try WireLoop(TestIdentity.identity), usesTLS: true, responder: responder, limits: limits)
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            client = try #require(TestClient(version, showsCertificate: true, protocols: protocols))
            try carry()
        }

        /// Exchanges bytes until neither side has more to send.
        func carry() throws {
            var wasSilent = false
            while !wasSilent {
                client.advance()
                let toServer = client.takeOutput()
                if !toServer.isEmpty, channel.isActive { try channel.writeInbound(ByteBuffer(bytes: toServer)) }
                channel.embeddedEventLoop.run()
                var toClient: [UInt8] = []
                while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                    toClient += Array(buffer.readableBytesView)
                }
                client.receive(toClient)
                wasSilent = toServer.isEmpty && toClient.isEmpty
            }
            client.advance()
        }

        func send(_ text: String) throws {
            client.send(Array(text.utf8))
            try carry()
        }
    }

    private static let request = "POST /Qx HTTP/1.1\r\nHost: localhost\r\nTTL: 5\r\nContent-Length: 2\r\n\r\nhi"

    @Test(
        "a request is answered with ALPN that chooses HTTP/1.1, with a list of other protocols, and without ALPN",
        arguments: TestClient.Version.allCases, [["http/1.1"], ["spdy/1"], []])
    func answered(_ version: TestClient.Version, _ protocols: [String]) throws {
        let pair = try Pair(version, protocols: protocols)
        try pair.send(Self.request)
        #expect(String(decoding: pair.client.received, as: UTF8.self).hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(pair.responder.requests == ["POST https /Qx"])
        #expect(pair.responder.bodies == [Array("hi".utf8)])
        #expect(
            pair.responder.openings.map { $0?.applicationProtocol } == [protocols == ["http/1.1"] ? "http/1.1" : nil])
        #expect(pair.responder.openings.first??.clientCertificate == nil)
        #expect(pair.responder.trustCount == 1)
        // The connection is kept open, also for requests that come before the answer.
        try pair.send(Self.request + Self.request)
        #expect(pair.responder.requests.count == 3)
        _ = try pair.channel.finish(acceptAlreadyClosed: true)
        #expect(pair.responder.endCount == 1)
        #expect(pair.responder.problems.isEmpty)
    }

    @Test(
        "HTTP/2 is chosen where a client lists it first, and is recognised without ALPN",
        arguments: [["h2", "http/1.1"], []])
    func http2(_ protocols: [String]) throws {
        let pair = try Pair(.tls13, protocols: protocols)
        pair.client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
        try pair.carry()
        #expect(pair.responder.openings.map { $0?.applicationProtocol } == [protocols.isEmpty ? nil : "h2"])
        // SETTINGS come first.
        #expect(pair.client.received.count > 9 && pair.client.received[3] == 4)
        #expect(pair.responder.problems.isEmpty)
        _ = try pair.channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a request in many pieces, one byte a record, is read as it was sent")
    func pieces() throws {
        let pair = try Pair(.tls13, protocols: [])
        for byte in Self.request.utf8 {
            pair.client.send([byte])
            try pair.carry()
        }
        #expect(pair.responder.bodies == [Array("hi".utf8)])
        _ = try pair.channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a client that hangs up right after the handshake is reported, as one that may not trust the certificate")
    func hungUp() throws {
        let pair = try Pair(.tls13, protocols: ["http/1.1"])
        pair.channel.pipeline.fireChannelInactive()
        _ = try pair.channel.finish(acceptAlreadyClosed: true)
        let causes = pair.responder.problems.map(\.handshakeCause)
        #expect(causes == [.hungUp])
    }

    @Test("what is no HTTP at all ends the connection with a problem")
    func garbage() throws {
        let pair = try Pair(.tls13, protocols: [])
        try pair.send("\u{1}\u{2}\u{3}\r\n\r\n")
        #expect(!pair.responder.problems.isEmpty)
        #expect(pair.client.hasEnded)
    }
}
