/// A credential is there and cryptography found it good (`provider-api.md` §3, §5).
enum CredentialCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        switch push.credential.verdict {
        case .missing:
            Refusal(
                .missingProviderToken,
                push.has(.authorization)
                    ? "authorization is not `bearer` and a provider token"
                    : "no authorization header and no client certificate")
        case .invalid(let refusal): refusal
        // Whether a revoked credential was in use on this connection is the connection's to know.
        case .token, .revokedKey, .certificate, .revokedCertificate: nil
        }
    }
}
