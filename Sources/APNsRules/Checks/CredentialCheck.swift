/// The request has a credential that is genuine and not revoked (`ProviderAPI#Reasons`,
/// `ProviderAPI#Provider-tokens`, `ProviderAPI#Certificates`).
enum CredentialCheck {
    static func check(_ push: borrowing Candidate, trust: borrowing ConnectionTrust) throws(Refusal) {
        switch push.credential.verdict {
        case .token: return
        case .missing:
            throw Refusal(
                .missingProviderToken,
                push.has(.authorization)
                    ? "authorization is not `bearer` and a provider token"
                    : "no authorization header and no client certificate")
        case .invalid(let refusal): throw refusal
        case .revokedKey(let identity):
            throw trust.hasUsed(identity.keyID)
                ? Refusal(.forbidden, "the key \(identity.keyID) was revoked since this connection used it")
                : Refusal(.invalidProviderToken, "the key \(identity.keyID) is revoked")
        case .certificate(let identity):
            // A certificate may expire while its connection is open (inferred).
            guard push.receivedAt > identity.notAfter else { return }
            throw Refusal(
                .badCertificate,
                "the certificate \(identity.serialNumber) was valid until \(identity.notAfter.rfc3339)")
        case .revokedCertificate(let identity):
            // The handshake accepted it, so TLS can't refuse it any more (inferred).
            throw Refusal(.badCertificate, "the certificate \(identity.serialNumber) was revoked since the handshake")
        }
    }
}
