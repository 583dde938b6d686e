import APNsRules
import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

/// TLS faults as an OpenSSL client sees them.
struct TLSFaultTests {
    private static let alerts = TLSAlert.allCases.filter { $0 != .closeNotify && $0 != .userCanceled }

    @Test("the responder gets the ClientHello's server name once", arguments: TestClient.Version.allCases)
    func once(_ version: TestClient.Version) throws {
        let pair = try TLSPair(.proceed, version, serverName: "api.push.apple.com")
        #expect(pair.client.isConnected)
        #expect(pair.responder.hasOpened)
        #expect(pair.responder.serverNames == ["api.push.apple.com"])
        #expect(try TLSPair(.proceed, version).responder.serverNames == [nil])
    }

    @Test("an unencrypted alert with the given number answers the ClientHello", arguments: alerts)
    func duringHandshake(_ alert: TLSAlert) throws {
        for version in TestClient.Version.allCases {
            let pair = try TLSPair(.tls(.alert(alert, .duringHandshake)), version)
            #expect(pair.wire == [21, 3, 3, 0, 2, 2, alert.rawValue])
            #expect(pair.client.alert == Int32(alert.rawValue))
            #expect(!pair.client.isConnected)
            #expect(!pair.responder.hasOpened)
            #expect(pair.responder.problems.count == 1)
            try pair.advance(.seconds(10))
            #expect(!pair.channel.isActive)
        }
    }

    @Test("an alert follows the handshake, which the client considers complete", arguments: alerts)
    func afterHandshake(_ alert: TLSAlert) throws {
        for version in TestClient.Version.allCases {
            let pair = try TLSPair(.tls(.alert(alert, .afterHandshake)), version)
            #expect(pair.client.isConnected, "\(version)")
            #expect(pair.client.alert == Int32(alert.rawValue), "\(version)")
            #expect(!pair.responder.hasOpened)
            try pair.advance(.seconds(10))
            #expect(!pair.channel.isActive)
        }
    }

    @Test("close_notify is an orderly end at any time, not a failure", arguments: TestClient.Version.allCases)
    func closeNotify(_ version: TestClient.Version) throws {
        #expect(try TLSPair(.tls(.alert(.closeNotify, .duringHandshake)), version).wire == [21, 3, 3, 0, 2, 1, 0])
        let pair = try TLSPair(.tls(.alert(.closeNotify, .afterHandshake)), version)
        #expect(pair.client.isConnected)
        #expect(pair.client.hasEnded)
        #expect(pair.client.alert == nil)
    }

    @Test("a client that could resume also gets the fault's certificate", arguments: TestClient.Version.allCases)
    func otherCertificate(_ version: TestClient.Version) throws {
        var asked: [WireTLSFault.Certificate] = []
        let loop = try WireLoop(TestIdentity.identity) { kind in
            asked.append(kind)
            return TestIdentity.identity
        }
        let session = try #require(try TLSPair(.proceed, version, loop: loop).client.session)
        let pair = try TLSPair(.tls(.certificate(.expired)), version, resuming: session, loop: loop)
        #expect(pair.client.isConnected)
        #expect(!pair.client.isResumed)
        #expect(try TLSPair(.tls(.certificate(.expired)), version, loop: loop).client.isConnected)
        #expect(asked == [.expired], "it is made once")
        #expect(pair.responder.hasOpened)
    }

    @Test("the handshake fails if the fault's certificate can't be made", arguments: TestClient.Version.allCases)
    func noCertificate(_ version: TestClient.Version) throws {
        let pair = try TLSPair(.tls(.certificate(.wrongHost)), version)
        #expect(pair.client.alert == 80)
        #expect(pair.responder.problems.count == 1)
    }

    @Test("a stall outlasts the handshake timeout and ends after a day", arguments: TestClient.Version.allCases)
    func stall(_ version: TestClient.Version) throws {
        let pair = try TLSPair(.tls(.stall), version)
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
        let pair = try TLSPair(.tls(.stall), .tls13)
        pair.channel.triggerUserOutboundEvent(
            isAborted ? ConnectionCommand.abort : .shutDown(reason: .shutdown, grace: .seconds(1)), promise: nil)
        #expect(!pair.channel.isActive)
    }

    @Test("a slow handshake is answered after its delay, and then has the usual timeout")
    func slow() throws {
        let pair = try TLSPair(.tls(.slow(.seconds(60))), .tls13)
        try pair.advance(.seconds(59))
        #expect(pair.wire.isEmpty)
        #expect(pair.channel.isActive)
        try pair.advance(.seconds(1))
        #expect(pair.client.isConnected)
        #expect(pair.responder.hasOpened)
        #expect(pair.responder.serverNames.count == 1)

        let silent = try TLSPair(.tls(.slow(.seconds(60))), .tls13)
        silent.channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        silent.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!silent.channel.isActive)
        #expect(
            silent.responder.problems == [
                .handshakeFailed(HandshakeFailure(cause: .fault, detail: "the handshake timed out"))
            ])
    }

    @Test("a client that floods a delayed handshake is cut off")
    func flood() throws {
        let pair = try TLSPair(.tls(.slow(.seconds(60))), .tls13)
        try pair.channel.writeInbound(ByteBuffer(repeating: 0, count: 70_000))
        try pair.advance(.seconds(10))
        #expect(!pair.channel.isActive)
        #expect(pair.responder.problems.count == 1)
    }

    @Test("a fault at the handshake is carried out when the connection opens, before anything is sent")
    func actAtOpening() throws {
        let pair = try TLSPair(.act(.close(.fin, afterBytes: nil)), .tls13)
        #expect(pair.client.isConnected)
        #expect(pair.client.received.isEmpty)
        #expect(!pair.client.hasEnded, "close_notify was sent")
        #expect(pair.responder.endCount == 1)
    }
}
