import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

/// Gives the handshake decision of a test once, and records the calls.
final class HandshakeResponder: PushResponder {
    let answer: HandshakeDecision
    var serverNames: [String?] = []
    var problems: [ConnectionProblem] = []
    var hasOpened = false
    var endCount = 0

    init(_ answer: HandshakeDecision) {
        self.answer = answer
    }

    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        .failure(CertificateFault(.unknownCA, "unexpected certificate"))
    }

    func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision {
        serverNames.append(serverName)
        return answer
    }

    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision {
        hasOpened = true
        return .serve(streamLimit: 1)
    }

    func bytesArrived() {}

    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse { .withheld }

    func requestAbandoned(stream: Int32) {}

    func connectionFailed(_ problem: ConnectionProblem) { problems.append(problem) }

    func connectionClosed(_ traffic: ConnectionTraffic) { endCount += 1 }
}

/// A client and a server connection, in memory.
final class TLSPair {
    let client: TestClient
    let channel = EmbeddedChannel()
    let responder: HandshakeResponder
    /// All ciphertext that the server has sent.
    private(set) var wire: [UInt8] = []

    init(
        _ answer: HandshakeDecision, _ version: TestClient.Version, serverName: String? = nil,
        resuming session: TestClient.Session? = nil, loop: WireLoop? = nil
    ) throws {
        responder = HandshakeResponder(answer)
        let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
        let handler = try ConnectionHandler(
            loop: try loop ?? WireLoop(TestIdentity.identity), usesTLS: true, responder: responder, limits: limits)
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        client = try #require(
            TestClient(version, showsCertificate: false, resuming: session, serverName: serverName))
        try carry()
    }

    /// Exchanges bytes until neither side has more to send.
    func carry() throws {
        var wasSilent = false
        while !wasSilent {
            client.advance()
            let toServer = client.takeOutput()
            if !toServer.isEmpty, channel.isActive { try channel.writeInbound(ByteBuffer(bytes: toServer)) }
            var toClient: [UInt8] = []
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                toClient += Array(buffer.readableBytesView)
            }
            wire += toClient
            client.receive(toClient)
            wasSilent = toServer.isEmpty && toClient.isEmpty
        }
        client.advance()
    }

    func advance(_ time: TimeAmount) throws {
        channel.embeddedEventLoop.advanceTime(by: time)
        try carry()
    }

    deinit {
        // `finish` waits for the close, which a fault may delay; an abort isn't delayed.
        channel.triggerUserOutboundEvent(ConnectionCommand.abort, promise: nil)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
