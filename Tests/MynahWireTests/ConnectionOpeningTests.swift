import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

/// How a connection begins or is refused, as a test's responder decides.
struct ConnectionOpeningTests {
    private static let identity = CertificateIdentity(
        subject: "CN=Test", subjectID: nil, topics: [], environment: .production, serialNumber: "02",
        notBefore: Instant(seconds: 0), notAfter: Instant(seconds: 1))

    /// Gives the decisions of a test, and records the calls.
    private final class Responder: PushResponder {
        var verdict = CertificateVerdict.success(ConnectionOpeningTests.identity)
        var decision = OpeningDecision.serve(streamLimit: 1)
        var openings: [TLSFacts?] = []
        var problems: [ConnectionProblem] = []
        var readCount = 0
        var endCount = 0

        func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict { verdict }

        func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision {
            openings.append(tls)
            return decision
        }

        func bytesArrived() { readCount += 1 }

        func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision { .proceed }

        func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse {
            .reply(Reply(accepted: NotificationID(generated: 1), uniqueID: nil))
        }

        func requestAbandoned(stream: Int32) {}

        func connectionFailed(_ problem: ConnectionProblem) { problems.append(problem) }

        func connectionClosed(_ traffic: ConnectionTraffic) { endCount += 1 }
    }

    private struct Frame {
        let type: UInt8
        let payload: [UInt8]
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Connects a client, which sends its preface at once, and exchanges bytes until neither side has more to send.
    private func connect(
        _ responder: Responder, _ version: TestClient.Version, showsCertificate: Bool = true
    ) throws -> (client: TestClient, channel: EmbeddedChannel) {
        let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
        let handler = try ConnectionHandler(
            loop: try WireLoop(TestIdentity.identity), usesTLS: true, responder: responder, limits: limits)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let client = try #require(TestClient(version, showsCertificate: showsCertificate))
        var hasGreeted = false
        var wasSilent = false
        while !wasSilent {
            client.advance()
            if client.isConnected, !hasGreeted {
                client.send(Self.preface)
                hasGreeted = true
            }
            let toServer = client.takeOutput()
            if !toServer.isEmpty, channel.isActive { try channel.writeInbound(ByteBuffer(bytes: toServer)) }
            var toClient: [UInt8] = []
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                toClient += Array(buffer.readableBytesView)
            }
            client.receive(toClient)
            wasSilent = toServer.isEmpty && toClient.isEmpty
        }
        client.advance()
        return (client, channel)
    }

    private func frames(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let start = rest.startIndex
            let length = Int(rest[start]) << 16 | Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            frames.append(Frame(type: rest[start + 3], payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    private func streamLimit(_ settings: Frame) -> UInt32? {
        for entry in stride(from: 0, to: settings.payload.count, by: 6)
        where Array(settings.payload[entry..<(entry + 2)]) == [0, 3] {
            return settings.payload[(entry + 2)..<(entry + 6)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        return nil
    }

    @Test("the first SETTINGS carry the limit that the responder chose", arguments: TestClient.Version.allCases)
    func served(_ version: TestClient.Version) throws {
        let responder = Responder()
        responder.decision = .serve(streamLimit: 1000)
        let (client, channel) = try connect(responder, version)
        let frames = frames(client.received)
        #expect(frames.first?.type == 4)
        #expect(frames.first.flatMap { streamLimit($0) } == 1000)
        #expect(!frames.contains { $0.type == 7 })
        #expect(responder.openings.first??.clientCertificate === Self.identity)
        #expect(responder.readCount > 1)
        #expect(responder.problems.isEmpty)
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(responder.endCount == 1)
    }

    @Test(
        "a refused connection gets SETTINGS, then one GOAWAY with the reason, and then closes",
        arguments: TestClient.Version.allCases)
    func refused(_ version: TestClient.Version) throws {
        let responder = Responder()
        responder.decision = .refuse(.badCertificateEnvironment)
        let (client, channel) = try connect(responder, version)
        #expect(client.alert == nil)
        let frames = frames(client.received)
        #expect(frames.first?.type == 4)
        let goAways = frames.filter { $0.type == 7 }
        #expect(goAways.count == 1)
        let payload = try #require(goAways.first?.payload)
        // Last-stream-id 0, NO_ERROR; 46 bytes, as observed.
        #expect(Array(payload.prefix(8)) == [UInt8](repeating: 0, count: 8))
        #expect(String(decoding: payload.dropFirst(8), as: UTF8.self) == #"{"reason":"BadCertificateEnvironment"}"#)
        #expect(payload.count == 46)
        #expect(client.hasEnded)
        #expect(responder.problems == [.refusedAtOpening(.badCertificateEnvironment)])
        #expect(responder.endCount == 1)
        // A socket would linger for a while for a slow client; this channel can't half-close.
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
        #expect(responder.endCount == 1)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test(
        "a refused certificate gets its alert, although the client may have begun to send",
        arguments: TestClient.Version.allCases)
    func certificateRefused(_ version: TestClient.Version) throws {
        let responder = Responder()
        let fault = CertificateFault(.certificateExpired, "the certificate 02 expired")
        responder.verdict = .failure(fault)
        let (client, channel) = try connect(responder, version)
        #expect(client.alert == 45)
        #expect(client.isConnected == (version == .tls13))
        #expect(responder.problems == [.certificateRefused(fault)])
        #expect(responder.openings.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
        #expect(responder.endCount == 0)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a TLS 1.2 client that requests renegotiation is refused by an alert")
    func renegotiation() throws {
        let pair = try TLSPair(.proceed, .tls12)
        #expect(pair.client.isConnected)
        let before = pair.wire.count
        pair.client.renegotiate()
        try pair.carry()
        #expect(pair.wire.dropFirst(before).first == 21)
    }
}
