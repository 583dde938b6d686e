/// What cryptography says of the certificate that a client showed in its handshake (`ProviderAPI#TLS`,
/// `ProviderAPI#Certificates`).
///
/// Made by `MynahTrust`; the wire turns a fault into the TLS alert that it deserves.
package enum CertificateVerdict: Sendable, Equatable {
    /// A known CA signed it, it is valid now, not revoked, and its extensions can be read.
    case trusted(CertificateIdentity)
    /// The handshake fails.
    case refused(CertificateFault)
}

/// Why a client's certificate is refused in the handshake.
package struct CertificateFault: Error, Sendable, Equatable {
    /// The alerts of RFC 8446 §6.2 that concern a client's certificate; RFC 5246 §7.2.2 has the same.
    package enum Alert: String, Sendable, CaseIterable {
        /// It can't be read, is not yet valid, or says something contradictory.
        case badCertificate = "bad_certificate"
        /// Its key or use is one that is not supported.
        case unsupportedCertificate = "unsupported_certificate"
        /// It was revoked.
        case certificateRevoked = "certificate_revoked"
        /// It has expired.
        case certificateExpired = "certificate_expired"
        /// No CA that signed it is known, or the chain to one is too long.
        case unknownCA = "unknown_ca"
    }

    /// The alert.
    package let alert: Alert
    /// What is wrong, and with which certificate, as a sentence without its period.
    package let problem: String

    /// A fault.
    package init(_ alert: Alert, _ problem: String) {
        self.alert = alert
        self.problem = problem
    }
}
