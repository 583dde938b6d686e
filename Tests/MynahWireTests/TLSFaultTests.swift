import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

/// What goes wrong in TLS on request, seen by a client that is OpenSSL's own.
struct TLSFaultTests {
    /// Says once what becomes of the handshake, and notes what it hears.
    private final class Responder: PushResponder {
        let answer: HandshakeAnswer
        var serverNames: [String?] = []
        var problems: [ConnectionProblem] = []
        var hasOpened = false
        var endCount = 0

        init(_ answer: HandshakeAnswer) {
            self.answer = answer
        }

        func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
            .refused(CertificateFault(.unknownCA, "nobody asked for it"))
        }

        func handshakeBegins(serverName: String?) -> HandshakeAnswer {
            serverNames.append(serverName)
            return answer
        }

        func connectionOpened(_ facts: ConnectionFacts) -> OpeningDecision {
            hasOpened = true
            return .serve(streamLimit: 1)
        }

        func bytesArrived() {}

        func answer(to request: borrowing PushRequest, stream: Int32) -> Answer { .withheld }

        func requestAbandoned(stream: Int32) {}

        func connectionFailed(_ problem: ConnectionProblem) { problems.append(problem) }

        func connectionClosed(_ traffic: ConnectionTraffic) { endCount += 1 }
    }

    /// A client and the connection that it speaks to, in memory.
    private final class Pair {
        let client: TestClient
        let channel = EmbeddedChannel()
        let responder: Responder
        /// All that the server has sent, as it lay on the wire.
        private(set) var wire: [UInt8] = []

        init(
            _ answer: HandshakeAnswer, _ version: TestClient.Version, serverName: String? = nil,
            resuming session: TestClient.Session? = nil, loop: WireLoop? = nil
        ) throws {
            responder = Responder(answer)
            let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
            let handler = try ConnectionHandler(
                loop: try loop ?? WireLoop(TestIdentity.identity), usesTLS: true, responder: responder,
                facts: ConnectionFacts(id: 1, peer: "test", portEnvironment: nil, tls: nil), limits: limits)
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            client = try #require(
                TestClient(version, showsCertificate: false, resuming: session, serverName: serverName))
            try carry()
        }

        /// Carries bytes until both are silent.
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
            // To finish waits for the close, which a fault may keep waiting; an abort is not kept.
            channel.triggerUserOutboundEvent(ConnectionCommand.abort, promise: nil)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    private static let alerts = TLSAlert.allCases.filter { $0 != .closeNotify && $0 != .userCanceled }

    @Test("the responder hears of the ClientHello and its name once", arguments: TestClient.Version.allCases)
    func once(_ version: TestClient.Version) throws {
        let pair = try Pair(.proceed, version, serverName: "api.push.apple.com")
        #expect(pair.client.isConnected)
        #expect(pair.responder.hasOpened)
        #expect(pair.responder.serverNames == ["api.push.apple.com"])
        #expect(try Pair(.proceed, version).responder.serverNames == [nil])
    }

    @Test("an alert answers the ClientHello by its very number, in the clear", arguments: alerts)
    func duringHandshake(_ alert: TLSAlert) throws {
        for version in TestClient.Version.allCases {
            let pair = try Pair(.tls(.alert(alert, .duringHandshake)), version)
            #expect(pair.wire == [21, 3, 3, 0, 2, 2, alert.rawValue])
            #expect(pair.client.alert == Int32(alert.rawValue))
            #expect(!pair.client.isConnected)
            #expect(!pair.responder.hasOpened)
            #expect(pair.responder.problems.count == 1)
            try pair.advance(.seconds(10))
            #expect(!pair.channel.isActive)
        }
    }

    @Test("an alert comes behind the handshake, which the client takes for complete", arguments: alerts)
    func afterHandshake(_ alert: TLSAlert) throws {
        for version in TestClient.Version.allCases {
            let pair = try Pair(.tls(.alert(alert, .afterHandshake)), version)
            #expect(pair.client.isConnected, "\(version)")
            #expect(pair.client.alert == Int32(alert.rawValue), "\(version)")
            #expect(!pair.responder.hasOpened)
            try pair.advance(.seconds(10))
            #expect(!pair.channel.isActive)
        }
    }

    @Test("close_notify is an end and no failure, wherever it comes", arguments: TestClient.Version.allCases)
    func closeNotify(_ version: TestClient.Version) throws {
        #expect(try Pair(.tls(.alert(.closeNotify, .duringHandshake)), version).wire == [21, 3, 3, 0, 2, 1, 0])
        let pair = try Pair(.tls(.alert(.closeNotify, .afterHandshake)), version)
        #expect(pair.client.isConnected)
        #expect(pair.client.hasEnded)
        #expect(pair.client.alert == nil)
    }

    @Test("another certificate is shown, also to a client that would resume", arguments: TestClient.Version.allCases)
    func otherCertificate(_ version: TestClient.Version) throws {
        var asked: [WireTLSFault.Certificate] = []
        let loop = try WireLoop(TestIdentity.identity) { kind in
            asked.append(kind)
            return TestIdentity.identity
        }
        let session = try #require(try Pair(.proceed, version, loop: loop).client.session)
        let pair = try Pair(.tls(.certificate(.expired)), version, resuming: session, loop: loop)
        #expect(pair.client.isConnected)
        #expect(!pair.client.isResumed)
        #expect(try Pair(.tls(.certificate(.expired)), version, loop: loop).client.isConnected)
        #expect(asked == [.expired], "it is made once")
        #expect(pair.responder.hasOpened)
    }

    @Test("without the certificate that is asked for the handshake fails", arguments: TestClient.Version.allCases)
    func noCertificate(_ version: TestClient.Version) throws {
        let pair = try Pair(.tls(.certificate(.wrongHost)), version)
        #expect(pair.client.alert == 80)
        #expect(pair.responder.problems.count == 1)
    }

    @Test("a stall outlasts the handshake timeout and ends with a day", arguments: TestClient.Version.allCases)
    func stall(_ version: TestClient.Version) throws {
        let pair = try Pair(.tls(.stall), version)
        #expect(pair.wire.isEmpty)
        try pair.advance(.hours(23))
        #expect(pair.channel.isActive)
        #expect(pair.wire.isEmpty)
        #expect(pair.responder.problems.isEmpty)
        try pair.advance(.hours(1))
        #expect(!pair.channel.isActive)
    }

    @Test("a stalled connection ends with the server", arguments: [true, false])
    func stallEnds(_ isAborted: Bool) throws {
        let pair = try Pair(.tls(.stall), .tls13)
        pair.channel.triggerUserOutboundEvent(
            isAborted ? ConnectionCommand.abort : .shutDown(reason: .shutdown, grace: .seconds(1)), promise: nil)
        #expect(!pair.channel.isActive)
    }

    @Test("a slow handshake is answered when its time has come, and then has the usual time")
    func slow() throws {
        let pair = try Pair(.tls(.slow(.seconds(60))), .tls13)
        try pair.advance(.seconds(59))
        #expect(pair.wire.isEmpty)
        #expect(pair.channel.isActive)
        try pair.advance(.seconds(1))
        #expect(pair.client.isConnected)
        #expect(pair.responder.hasOpened)
        #expect(pair.responder.serverNames.count == 1)

        let silent = try Pair(.tls(.slow(.seconds(60))), .tls13)
        silent.channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        silent.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!silent.channel.isActive)
        #expect(silent.responder.problems == [.handshakeTimedOut])
    }

    @Test("a client that floods a handshake which waits is cut off")
    func flood() throws {
        let pair = try Pair(.tls(.slow(.seconds(60))), .tls13)
        try pair.channel.writeInbound(ByteBuffer(repeating: 0, count: 70_000))
        try pair.advance(.seconds(10))
        #expect(!pair.channel.isActive)
        #expect(pair.responder.problems.count == 1)
    }

    @Test("an act at the handshake is done as soon as the connection is open, before anything is sent on it")
    func actAtOpening() throws {
        let pair = try Pair(.act(.close(.fin, afterBytes: nil)), .tls13)
        #expect(pair.client.isConnected)
        #expect(pair.client.received.isEmpty)
        #expect(!pair.client.hasEnded, "close_notify was sent")
        #expect(pair.responder.endCount == 1)
    }
}
