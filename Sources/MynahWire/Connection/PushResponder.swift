package import APNsRules

/// Where a connection comes from and what its handshake agreed on.
package struct ConnectionFacts: Sendable {
    /// The number the server gave the connection.
    package let id: UInt64
    /// The peer's address and port.
    package let peer: String
    /// The environment that the port is bound to, if it is.
    package let portEnvironment: APNsEnvironment?
    /// What TLS agreed on; `nil` without TLS.
    package let tls: TLSFacts?

    /// The facts of one connection.
    package init(id: UInt64, peer: String, portEnvironment: APNsEnvironment?, tls: TLSFacts?) {
        self.id = id
        self.peer = peer
        self.portEnvironment = portEnvironment
        self.tls = tls
    }
}

/// Why a connection ended other than by both sides' wish; for a log line that helps.
package enum ConnectionProblem: Sendable, Equatable {
    /// The TLS handshake failed.
    case handshakeFailed(HandshakeFailure)
    /// The client's certificate was refused in the handshake.
    case certificateRefused(CertificateFault)
    /// The connection was refused by GOAWAY as soon as it was open.
    case refusedAtOpening(Reason)
    /// A client without TLS sent nothing in time, or too little to tell its protocol.
    case nothingSent
    /// TLS failed after the handshake.
    case tlsFailed(String)
    /// The peer broke HTTP/2.
    case protocolViolation(String)
    /// The peer spoke HTTP/1.1 where only HTTP/2 is spoken; with the first line of what it sent.
    case spokeHTTP1(String)
    /// A request's fields were more than ``Limits/headerListBytesMax``; its stream alone was ended.
    case headerListTooLarge
    /// This many requests took too long; their streams alone were ended, over HTTP/1.1 the connection.
    case requestsTimedOut(Int)

    /// Whether the connection ends with it.
    package var endsConnection: Bool {
        switch self {
        case .headerListTooLarge, .requestsTimedOut: false
        default: true
        }
    }
}

/// What becomes of a connection that can carry requests.
package enum OpeningDecision: Sendable, Equatable {
    /// Its requests are answered; its first SETTINGS carry this stream limit.
    case serve(streamLimit: Int)
    /// SETTINGS, then GOAWAY with this reason, then the end (`ProviderAPI#GOAWAY`).
    case refuse(Reason)
}

/// What becomes of one request.
package enum Answer: Sendable {
    /// This goes out.
    case reply(Reply)
    /// Nothing goes out now; ``ConnectionCommand/answer(stream:_:)`` brings it later.
    ///
    /// When the stream or the connection ends before that, ``PushResponder/requestAbandoned(stream:)`` says so.
    case withheld
    /// Nothing goes out now, and maybe never does; else as ``withheld``.
    ///
    /// A peer that has ended its side is not kept waiting for it.
    case stalled
    /// The wire does this; with a reply where there is one to be sent whole or in part.
    case act(WireAct, Reply?)
}

/// What becomes of a connection whose handshake begins.
package enum HandshakeAnswer: Sendable, Equatable {
    /// Hands are shaken.
    case proceed
    /// Something goes wrong in TLS.
    case tls(WireTLSFault)
    /// Hands are shaken, and as soon as the connection is open, before anything else is sent on it, the wire does
    /// this.
    case act(WireAct)
}

/// What answers the requests of one connection, on the connection's loop.
///
/// The wire holds no rule, no device and no key: it asks, gets a value back, and writes it.
package protocol PushResponder: AnyObject {
    /// What is to be said of a client's certificate, in the handshake: the chain that it sent, DER, its own first.
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict
    /// The handshake begins: its ClientHello has been read, or, without TLS, the connection's first bytes.
    ///
    /// Once for each connection; the server name is the ClientHello's.
    func handshakeBegins(serverName: String?) -> HandshakeAnswer
    /// The connection can carry requests.
    func connectionOpened(_ facts: ConnectionFacts) -> OpeningDecision
    /// Bytes have come from the peer, whatever is in them.
    ///
    /// Once for each read from the socket.
    func bytesArrived()
    /// A request is complete, or its body has passed the limit; the answer is what goes out.
    func answer(to request: borrowing PushRequest, stream: Int32) -> Answer
    /// A stream whose answer was withheld has ended without one: the peer has reset it.
    ///
    /// When the connection ends, ``connectionClosed(_:)`` says it for all of them.
    func requestAbandoned(stream: Int32)
    /// Something went wrong.
    func connectionFailed(_ problem: ConnectionProblem)
    /// The connection has ended: nothing more is read, or will be written.
    ///
    /// Once for each connection that was opened, with what has passed over it.
    func connectionClosed(_ traffic: ConnectionTraffic)
}

/// What the server tells one of its connections, by the channel, from any thread.
package enum ConnectionCommand: Sendable {
    /// GOAWAY with NO_ERROR and `{"reason":"…"}`, finish the open streams for at most so long, close.
    case shutDown(reason: Reason, grace: Duration)
    /// Close at once, by a TCP reset.
    case abort
    /// Answer a request that was withheld; nothing happens when its stream has ended.
    ///
    /// From the connection's own loop alone, so that who sends it knows what has become of the stream.
    case answer(stream: Int32, Answer)
    /// Do this, which is no answer to any request.
    case act(WireAct)
    /// Say what has passed over the connection.
    case inspect(@Sendable (ConnectionTraffic) -> Void)
}

/// What has passed over a connection.
package struct ConnectionTraffic: Sendable, Equatable {
    /// Bytes read from the socket, TLS included.
    package var bytesIn = 0
    /// Bytes handed to the socket, TLS included.
    package var bytesOut = 0
    /// Requests that were answered, refused ones too.
    package var pushes = 0
    /// PING frames of the peer.
    package var pings = 0
    /// Streams that are open now; 0 without HTTP/2, as are the next two.
    package var openStreams = 0
    /// The stream limit that was announced last.
    package var streamLimit = 0
    /// Streams that were ever opened.
    package var totalStreams = 0

    /// Nothing yet.
    package init() {}
}
