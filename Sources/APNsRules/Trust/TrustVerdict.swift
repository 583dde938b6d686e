/// What cryptography says of a request's credential, before age and the connection's history count.
///
/// Made by `MynahTrust`, judged by ``Admission``; may be kept for as long as the keys stay the same,
/// because nothing in it depends on the time.
package enum TrustVerdict: Sendable, Equatable {
    /// No client certificate, and no `authorization` with a usable bearer token.
    case missing
    /// A token that is malformed, signed by an unknown key or by another team's, or wrongly signed.
    case invalid(Refusal)
    /// A token whose signature is good.
    case token(ProviderIdentity)
    /// A token whose signature is good, of a key that was revoked since (`ProviderAPI#Key-scopes`).
    case revokedKey(ProviderIdentity)
    /// A client certificate, found good in the handshake; then `authorization` counts for nothing.
    case certificate(CertificateIdentity)
    /// A client certificate that was good in the handshake and is revoked since.
    case revokedCertificate(CertificateIdentity)
}

extension TrustVerdict {
    /// The topic of a push that names none: that of a certificate with just one (`ProviderAPI#Key-scopes`).
    package var defaultTopic: String? {
        switch self {
        case .certificate(let identity), .revokedCertificate(let identity): identity.defaultTopic
        case .missing, .invalid, .token, .revokedKey: nil
        }
    }

    /// Who a provider token with a good signature speaks for, revoked or not.
    package var tokenIdentity: ProviderIdentity? {
        switch self {
        case .token(let identity), .revokedKey(let identity): identity
        case .missing, .invalid, .certificate, .revokedCertificate: nil
        }
    }

    /// Whom a client certificate is of, revoked or not.
    package var certificateIdentity: CertificateIdentity? {
        switch self {
        case .certificate(let identity), .revokedCertificate(let identity): identity
        case .missing, .invalid, .token, .revokedKey: nil
        }
    }
}

/// Who a good provider token speaks for.
package struct ProviderIdentity: Sendable, Hashable {
    /// The team, 10 characters.
    package let team: String
    /// The signing key, 10 characters.
    package let keyID: String
    /// When the token was made.
    package let issuedAt: Instant
    /// What in the token's form is not Apple's own.
    package let warnings: [String]
    /// What the key may be used for.
    package let scope: KeyScope

    /// An identity.
    package init(
        team: String, keyID: String, issuedAt: Instant, warnings: [String] = [], scope: KeyScope = .team
    ) {
        self.team = team
        self.keyID = keyID
        self.issuedAt = issuedAt
        self.warnings = warnings
        self.scope = scope
    }
}

/// A credential's verdict together with the bytes it is about; shared by all pushes that sent them.
///
/// A class so that the connection, the server's cache and every journal entry hold one copy.
package final class JudgedCredential: Sendable {
    /// The `authorization` value, or `nil` where none was sent.
    package let authorization: AuthorizationValue?
    /// What cryptography says of it.
    package let verdict: TrustVerdict

    /// A credential and its verdict.
    package init(authorization: AuthorizationValue?, verdict: TrustVerdict) {
        self.authorization = authorization
        self.verdict = verdict
    }

    /// A request without any credential.
    package static let none = JudgedCredential(authorization: nil, verdict: .missing)
}
