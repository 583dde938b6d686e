/// Whether the certificate that a client presented in its handshake is accepted (`ProviderAPI#TLS`,
/// `ProviderAPI#Certificates`).
package enum CertificateVerdict: Sendable, Equatable {
    /// A known CA signed it, it is valid now and not revoked, and its extensions are readable.
    case trusted(CertificateIdentity)
    case refused(CertificateFault)
}

/// Why a client's certificate is refused in the handshake.
package struct CertificateFault: Error, Sendable, Equatable {
    /// The alerts of RFC 8446 §6.2 that concern a client's certificate; RFC 5246 §7.2.2 has the same.
    package enum Alert: String, Sendable, CaseIterable {
        /// It is unreadable, not yet valid, or contradictory.
        case badCertificate = "bad_certificate"
        /// Its key or use is not supported.
        case unsupportedCertificate = "unsupported_certificate"
        case certificateRevoked = "certificate_revoked"
        case certificateExpired = "certificate_expired"
        /// It was not signed by a known CA, or the chain is too long.
        case unknownCA = "unknown_ca"
    }

    package let alert: Alert
    /// What is wrong with which certificate, without a period.
    package let problem: String

    package init(_ alert: Alert, _ problem: String) {
        self.alert = alert
        self.problem = problem
    }
}
