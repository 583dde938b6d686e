/// A credential is there, cryptography found it good, and nobody has revoked it (`ProviderAPI#Reasons`,
/// `ProviderAPI#Provider-tokens`, `ProviderAPI#Certificates`).
enum CredentialCheck {
    static func refusal(of push: borrowing Candidate, trust: borrowing ConnectionTrust) -> Refusal? {
        switch push.credential.verdict {
        case .missing:
            Refusal(
                .missingProviderToken,
                push.has(.authorization)
                    ? "authorization is not `bearer` and a provider token"
                    : "no authorization header and no client certificate")
        case .invalid(let refusal): refusal
        case .token: nil
        case .revokedKey(let identity): revoked(identity, trust: trust)
        case .certificate(let identity): expired(identity, at: push.receivedAt)
        // The handshake took it, so what is left of TLS can't say it any more (inferred).
        case .revokedCertificate(let identity):
            Refusal(.badCertificate, "the certificate \(identity.serialNumber) was revoked since the handshake")
        }
    }

    /// The decisions' row *revoked signing key*.
    private static func revoked(_ identity: ProviderIdentity, trust: borrowing ConnectionTrust) -> Refusal {
        trust.hasUsed(identity.keyID)
            ? Refusal(.forbidden, "the key \(identity.keyID) was revoked since this connection used it")
            : Refusal(.invalidProviderToken, "the key \(identity.keyID) is revoked")
    }

    /// A certificate may outlive its validity on a connection; the handshake saw it in time (inferred).
    private static func expired(_ identity: CertificateIdentity, at now: Instant) -> Refusal? {
        guard now > identity.notAfter else { return nil }
        return Refusal(
            .badCertificate, "the certificate \(identity.serialNumber) was valid until \(identity.notAfter.rfc3339)")
    }
}
