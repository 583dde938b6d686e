package import APNsRules

/// The CAs whose provider certificates are believed, and the certificates of theirs that were revoked.
///
/// Immutable: a change is another value, handed to whoever judges.
package struct ProviderAuthorities: Sendable {
    /// Authorities by their certificates in DER.
    private let authorities: [[UInt8]]

    /// Believes these CAs, certificates in DER.
    package init(_ authorities: [[UInt8]] = []) {
        self.authorities = authorities
    }

    /// What is to be said of a client's chain, DER, its own certificate first.
    package func verdict(on chain: [[UInt8]], at now: Instant) -> CertificateVerdict {
        .refused(CertificateFault(.unknownCA, "none of \(authorities.count) CAs signed it"))
    }

    /// Whether a certificate that was found good is revoked since.
    package func isRevoked(_ identity: CertificateIdentity) -> Bool { false }
}
