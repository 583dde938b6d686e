package import APNsRules

/// How a handshake that begins goes on.
package enum HandshakeDecision: Sendable, Equatable {
    case proceed
    case tls(WireTLSFault)
    /// Continue the handshake; carry out a fault as soon as the connection is open, before anything else is sent on it.
    case act(WireFault)
}

/// What is done with a connection that can carry requests.
package enum OpeningDecision: Sendable, Equatable {
    /// Answer its requests; its first SETTINGS carry this stream limit.
    case serve(streamLimit: Int)
    /// Send SETTINGS and GOAWAY with this reason, and close (`ProviderAPI#GOAWAY`).
    case refuse(Reason)
}

/// Answers the requests of one connection, on its loop: the wire holds no rule, no device and no key, so it asks, gets a
/// value back, and writes it.
package protocol PushResponder: AnyObject {
    /// Judges the certificates that a client showed in the handshake: DER, its own first.
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict
    /// Decides, once, how a connection goes on after its ClientHello, or, without TLS, its first bytes.
    func handshakeBegins(serverName: String?) -> HandshakeDecision
    /// The connection can carry requests; `tls` is what its handshake agreed on, `nil` in cleartext.
    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision
    /// The peer has sent bytes; called once for each read from the socket.
    func bytesArrived()
    /// Answers a request that is complete, or whose body has passed the limit.
    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse
    /// The peer has reset a stream whose answer was withheld; ``connectionClosed(_:)`` stands for all at the end.
    func requestAbandoned(stream: Int32)
    func connectionFailed(_ problem: ConnectionProblem)
    /// A connection that was opened has ended; called once.
    func connectionClosed(_ traffic: ConnectionTraffic)
}

/// Why a connection ended other than by both sides' wish; for a log line that helps.
package enum ConnectionProblem: Sendable, Equatable {
    case handshakeFailed(HandshakeFailure)
    case certificateRefused(CertificateFault)
    /// The connection was refused by GOAWAY as soon as it was open.
    case refusedAtOpening(Reason)
    /// A client without TLS sent nothing in time, or too little to tell its protocol.
    case nothingSent
    case tlsFailed(String)
    case protocolViolation(String)
    /// The peer spoke HTTP/1.1 where only HTTP/2 is spoken; with the first line of what it sent.
    case spokeHTTP1(String)
    /// A request's fields were larger than `Limits.headerListBytesMax`; only its stream was ended.
    case headerListTooLarge
    /// This many requests took too long; only their streams were ended, over HTTP/1.1 the connection.
    case requestsTimedOut(Int)

    package var endsConnection: Bool {
        switch self {
        case .headerListTooLarge, .requestsTimedOut: false
        default: true
        }
    }

    /// Why the TLS handshake failed; `nil` for a problem of another kind.
    package var handshakeCause: HandshakeFailure.Cause? {
        switch self {
        case .handshakeFailed(let failure): failure.cause
        case .certificateRefused: .clientCertificate
        default: nil
        }
    }
}
