package import APNsRules

/// How a handshake proceeds after the ClientHello.
package enum HandshakeDecision: Sendable, Equatable {
    case proceed
    case tls(WireTLSFault)
    /// Continue the handshake; carry out a fault as soon as the connection is open, before anything else is sent on it.
    case act(WireFault)
}

/// What to do with a connection that is ready for requests.
package enum OpeningDecision: Sendable, Equatable {
    /// Answer its requests; its first SETTINGS carry this stream limit.
    case serve(streamLimit: Int)
    /// Send SETTINGS and GOAWAY with this reason, and close (`ProviderAPI#GOAWAY`).
    case refuse(Reason)
}

/// Answers the requests of one connection, on its loop; this module itself knows no rules, devices or keys.
package protocol PushResponder: AnyObject {
    /// Judges the certificates that a client presented in the handshake: DER, its own first.
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict
    /// Decides, once, how a connection proceeds after its ClientHello or, without TLS, its first bytes; `clientKind` is the
    /// same for each connection of one TLS library with one configuration, and `nil` without TLS.
    func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision
    /// Whether the connection may speak HTTP/1.1 besides HTTP/2; asked once its handshake has begun.
    var speaksHTTP1: Bool { get }
    /// Decides about a connection that is ready for requests; `tls` is the result of its handshake, `nil` in cleartext.
    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision
    /// Called when the first bytes inside TLS have arrived: the client accepts the server's certificate.
    func clientTrusts()
    /// Called once for each read from the socket.
    func bytesArrived()
    /// Whether further requests have to wait, because too many requests wait for their answers. As long as it is so,
    /// requests are neither read nor answered, except for one on each connection.
    var isBusy: Bool { get }
    /// Answers a request that is complete, or whose body exceeds the limit.
    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse
    /// Called when the peer resets a stream whose answer was withheld; ``connectionClosed(_:)`` covers all that remain.
    func requestAbandoned(stream: Int32)
    func connectionFailed(_ problem: ConnectionProblem)
    /// Called once, when an opened connection has ended.
    func connectionClosed(_ traffic: ConnectionTraffic)
}

extension PushResponder {
    package var isBusy: Bool { false }
    package var speaksHTTP1: Bool { false }
    package func clientTrusts() {}
}

/// A problem of a connection or a request, for the log.
package enum ConnectionProblem: Sendable, Equatable {
    case handshakeFailed(HandshakeFailure)
    case certificateRefused(CertificateFault)
    /// The connection was refused by GOAWAY as soon as it was open.
    case refusedAtOpening(Reason)
    /// A client without TLS sent nothing in time, or too little to detect its protocol.
    case nothingSent
    case tlsFailed(String)
    /// The peer broke HTTP/2.
    case protocolViolation(String)
    /// The peer of a connection that takes HTTP/1.1 broke that.
    case http1Violation(String)
    /// The handlers of a connection could not be made.
    case noMemory(String)
    /// The peer spoke HTTP/1.1 where HTTP/2 was expected; the first line that it sent.
    case spokeHTTP1(String)
    /// A request's fields were larger than `Limits.headerListBytesMax`; only its stream was ended.
    case headerListTooLarge
    /// A request broke HTTP/2, in nghttp2's words; only its stream was ended.
    case requestMalformed(stream: Int32, String)
    /// Requests took too long, with their number; only their streams were ended, or over HTTP/1.1 the connection.
    case requestsTimedOut(Int)

    package var endsConnection: Bool {
        switch self {
        case .headerListTooLarge, .requestMalformed, .requestsTimedOut: false
        default: true
        }
    }

    /// The stream of the problem; `nil` if it isn't one of a single stream.
    package var stream: Int32? {
        if case .requestMalformed(let stream, _) = self { stream } else { nil }
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
