package import APNsRules

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
    /// A request's fields were larger than `Limits.headerListBytesMax`; only its stream was ended.
    case headerListTooLarge
    /// This many requests took too long; only their streams were ended, over HTTP/1.1 the connection.
    case requestsTimedOut(Int)

    /// Whether the connection ends with it.
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
        case .refusedAtOpening, .nothingSent, .tlsFailed, .protocolViolation, .spokeHTTP1, .headerListTooLarge,
            .requestsTimedOut:
            nil
        }
    }
}
