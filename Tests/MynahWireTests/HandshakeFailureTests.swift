import APNsRules
import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

/// What a connection reports about a failed handshake.
struct HandshakeFailureTests {
    /// A connection whose client sends arbitrary bytes.
    private struct Raw {
        let channel = EmbeddedChannel()
        let responder = HandshakeResponder(.proceed)

        init(_ bytes: [UInt8]) throws {
            let limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: .seconds(2))
            let handler = try ConnectionHandler(
                loop: WireLoop(TestIdentity.identity), usesTLS: true, responder: responder, limits: limits)
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
        }

        var causes: [HandshakeFailure.Cause?] { responder.problems.map(\.handshakeCause) }

        func end() throws {
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    private func causes(_ pair: TLSPair) -> [HandshakeFailure.Cause?] { pair.responder.problems.map(\.handshakeCause) }

    /// A client's ClientHello.
    private func hello() throws -> [UInt8] {
        let client = try #require(TestClient(.tls13, showsCertificate: false))
        client.advance()
        return client.takeOutput()
    }

    @Test(
        "bytes that are not TLS are reported as such",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\n\r\n",
            "hello, hello",
        ])
    func plaintext(_ text: String) throws {
        let raw = try Raw(Array(text.utf8))
        #expect(raw.causes == [.notTLS])
        try raw.end()
    }

    @Test("a client that closes during the handshake has hung up; one that sent nothing is not reported")
    func hangUp() throws {
        let cases: [([UInt8], [HandshakeFailure.Cause?])] = [(try hello(), [.hungUp]), ([0x16], [.hungUp]), ([], [])]
        for (bytes, expected) in cases {
            let raw = try Raw(bytes)
            try raw.channel.close().wait()
            try raw.end()
            #expect(raw.causes == expected)
        }
    }

    @Test("a reset is reported once")
    func reset() throws {
        let raw = try Raw(hello())
        raw.channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
        try raw.end()
        #expect(raw.causes == [.hungUp])
    }

    @Test("a client that takes too long is reported, whether it has begun or not")
    func timeOut() throws {
        for bytes in [try hello(), []] {
            let raw = try Raw(bytes)
            try raw.end()
            #expect(raw.causes == [.timedOut])
        }
    }

    @Test("a failure caused by a fault is never blamed on the client")
    func fault() throws {
        let stalled = try TLSPair(.tls(.stall), .tls13)
        stalled.channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
        #expect(causes(stalled).isEmpty)
        #expect(try causes(TLSPair(.tls(.alert(.unknownCA, .duringHandshake)), .tls13)) == [.fault])
        #expect(try causes(TLSPair(.tls(.alert(.unknownCA, .afterHandshake)), .tls13)) == [.fault])
    }
}
