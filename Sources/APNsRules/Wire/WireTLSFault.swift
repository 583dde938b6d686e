/// The description of a TLS alert (RFC 8446 §6, RFC 5246 §7.2), by its number on the wire.
public enum TLSAlert: UInt8, CaseIterable, Sendable {
    case closeNotify = 0
    case unexpectedMessage = 10
    case badRecordMAC = 20
    case recordOverflow = 22
    case handshakeFailure = 40
    case badCertificate = 42
    case unsupportedCertificate = 43
    case certificateRevoked = 44
    case certificateExpired = 45
    case certificateUnknown = 46
    case illegalParameter = 47
    case unknownCA = 48
    case accessDenied = 49
    case decodeError = 50
    case decryptError = 51
    case protocolVersion = 70
    case insufficientSecurity = 71
    case internalError = 80
    case inappropriateFallback = 86
    case userCanceled = 90
    case missingExtension = 109
    case unsupportedExtension = 110
    case unrecognizedName = 112
    case badCertificateStatusResponse = 113
    case unknownPSKIdentity = 115
    case certificateRequired = 116
    case noApplicationProtocol = 120

    /// The RFC's name, which the control API uses.
    public var name: String {
        switch self {
        case .closeNotify: "close_notify"
        case .unexpectedMessage: "unexpected_message"
        case .badRecordMAC: "bad_record_mac"
        case .recordOverflow: "record_overflow"
        case .handshakeFailure: "handshake_failure"
        case .badCertificate: "bad_certificate"
        case .unsupportedCertificate: "unsupported_certificate"
        case .certificateRevoked: "certificate_revoked"
        case .certificateExpired: "certificate_expired"
        case .certificateUnknown: "certificate_unknown"
        case .illegalParameter: "illegal_parameter"
        case .unknownCA: "unknown_ca"
        case .accessDenied: "access_denied"
        case .decodeError: "decode_error"
        case .decryptError: "decrypt_error"
        case .protocolVersion: "protocol_version"
        case .insufficientSecurity: "insufficient_security"
        case .internalError: "internal_error"
        case .inappropriateFallback: "inappropriate_fallback"
        case .userCanceled: "user_canceled"
        case .missingExtension: "missing_extension"
        case .unsupportedExtension: "unsupported_extension"
        case .unrecognizedName: "unrecognized_name"
        case .badCertificateStatusResponse: "bad_certificate_status_response"
        case .unknownPSKIdentity: "unknown_psk_identity"
        case .certificateRequired: "certificate_required"
        case .noApplicationProtocol: "no_application_protocol"
        }
    }

    /// Reads the RFC's name.
    public init?(name: String) {
        guard let alert = TLSAlert.allCases.first(where: { $0.name == name }) else { return nil }
        self = alert
    }
}

/// What goes wrong in TLS (`Documents#Actions`).
public enum WireTLSFault: Sendable, Hashable {
    /// A certificate that a provider must not accept.
    public enum Certificate: String, CaseIterable, Sendable {
        /// Signed by the server's CA, with the right names, but expired.
        case expired
        /// Signed by the server's CA, for the name of another service.
        case wrongHost
        /// Signed by an unknown CA, with the right names.
        case untrusted
    }

    /// When an alert is sent.
    public enum AlertTime: String, CaseIterable, Sendable {
        /// In answer to the ClientHello.
        case duringHandshake
        /// After the server's Finished, when a TLS 1.3 client considers itself connected.
        case afterHandshake
    }

    /// A fatal alert; then the connection is closed.
    case alert(TLSAlert, AlertTime)
    /// A certificate that a provider must not accept.
    case certificate(Certificate)
    case stall
    /// The ClientHello is answered after this time.
    case slow(Duration)
}
