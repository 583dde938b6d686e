internal import COpenSSL

/// Why a TLS handshake failed.
package struct HandshakeFailure: Sendable, Equatable {
    /// The causes, each with its own remedy, by their names in the control API.
    package enum Cause: String, CaseIterable, Sendable {
        /// The client refused the server's certificate, most often because it doesn't trust the CA.
        case serverNotTrusted
        case notTLS
        /// The client's ALPN list has no `h2`; it refused to go on without one of its protocols, or made no use of HTTP/2.
        case noHTTP2
        /// The client offers neither TLS 1.2 nor TLS 1.3.
        case tlsVersion
        /// The client's certificate was refused.
        case clientCertificate
        /// The client closed or reset the connection without an alert.
        case hungUp
        /// The client began no handshake, or didn't finish it, in time.
        case timedOut
        /// A fault rule acted on the handshake.
        case fault
        /// Anything else; the detail has OpenSSL's error.
        case other
    }

    package let cause: Cause
    /// What happened, in a clause.
    package let detail: String
}

extension HandshakeFailure.Cause {
    /// The cause by OpenSSL's error: the alert that the client sent, or what was wrong with its bytes.
    init(_ error: OpenSSLError) {
        switch error.alert {
        case nil: self = error.reasons.lazy.compactMap { Self(reason: $0) }.first ?? .other
        case let alert? where alert.concernsCertificate: self = .serverNotTrusted
        case let alert? where Int32(alert.number) == SSL_AD_PROTOCOL_VERSION: self = .tlsVersion
        case let alert? where Int32(alert.number) == SSL_AD_NO_APPLICATION_PROTOCOL: self = .noHTTP2
        default: self = .other
        }
    }

    private init?(reason: Int32) {
        switch reason {
        // OpenSSL reports first bytes that are not TLS as a wrong version number.
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER: self = .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW: self = .tlsVersion
        default: return nil
        }
    }
}
