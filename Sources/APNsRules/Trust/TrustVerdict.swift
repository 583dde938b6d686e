/// Whether a request's credential is genuine, regardless of its age and the connection's history.
///
/// Independent of time, so it may be cached until the keys change.
package enum TrustVerdict: Sendable, Equatable {
    /// No client certificate, and no `authorization` with a usable bearer token.
    case missing
    /// A token that is malformed, of an unknown key or another team, or wrongly signed.
    case invalid(Refusal)
    case token(ProviderIdentity)
    /// A token with a valid signature by a revoked key (`ProviderAPI#Key-scopes`).
    case revokedKey(ProviderIdentity)
    /// A client certificate that the handshake accepted; `authorization` is then ignored.
    case certificate(CertificateIdentity)
    /// A client certificate that was revoked after the handshake.
    case revokedCertificate(CertificateIdentity)

    /// The topic of a push without `apns-topic`: the only topic of its certificate (`ProviderAPI#Key-scopes`).
    package var defaultTopic: String? { certificateIdentity?.defaultTopic }

    package var tokenIdentity: ProviderIdentity? {
        switch self {
        case .token(let identity), .revokedKey(let identity): identity
        case .missing, .invalid, .certificate, .revokedCertificate: nil
        }
    }

    package var certificateIdentity: CertificateIdentity? {
        switch self {
        case .certificate(let identity), .revokedCertificate(let identity): identity
        case .missing, .invalid, .token, .revokedKey: nil
        }
    }
}

/// The team and key of a valid provider token; a class, because every push with the token asks for it several times.
package final class ProviderIdentity: Sendable, Hashable {
    package let team: String
    package let keyID: String
    package let issuedAt: Instant
    package let warnings: [String]
    package let scope: KeyScope
    /// When the credential's token is neither too old nor from the future (`ProviderAPI#Token-age`).
    ///
    /// In whole seconds, as `iat` counts them: 3,600.9 s is still valid.
    let validity: Range<Instant>

    package init(team: String, keyID: String, issuedAt: Instant, warnings: [String] = [], scope: KeyScope = .team) {
        self.team = team
        self.keyID = keyID
        self.scope = scope
        self.issuedAt = issuedAt
        self.warnings = warnings
        validity =
            issuedAt.advanced(
                by: .zero - Limits.providerTokenSkewMax)..<issuedAt.advanced(
                by: Limits.providerTokenAgeMax + .seconds(1))
    }

    package static func == (one: ProviderIdentity, other: ProviderIdentity) -> Bool {
        one === other
            || (one.team == other.team && one.keyID == other.keyID && one.issuedAt == other.issuedAt
                && one.warnings == other.warnings && one.scope == other.scope)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(team)
        hasher.combine(keyID)
        hasher.combine(issuedAt)
        hasher.combine(warnings)
        hasher.combine(scope)
    }
}

/// A credential and its verdict; a class so that connection and cache share one copy.
package final class JudgedCredential: Sendable {
    package let authorization: AuthorizationValue?
    package let verdict: TrustVerdict
    /// What the journal keeps of the credential.
    package let recorded: RecordedCredential

    package init(authorization: AuthorizationValue?, verdict: TrustVerdict) {
        self.authorization = authorization
        self.verdict = verdict
        recorded = RecordedCredential(authorization: authorization?.withoutSignature, verdict: verdict)
    }

    /// The credential of a web push, which proves no provider's identity.
    package init(webPush authorization: AuthorizationValue) {
        self.authorization = authorization
        verdict = .missing
        let text = String(decoding: authorization.bytes, as: UTF8.self)
        recorded = RecordedCredential(authorization: VapidCredential.withoutSignature(text), verdict: .missing)
    }

    /// A credential of which only what the journal keeps is known.
    package init(_ recorded: RecordedCredential) {
        authorization = nil
        verdict = recorded.verdict
        self.recorded = recorded
    }

    package static let none = JudgedCredential(authorization: nil, verdict: .missing)
}

/// A credential as the journal keeps it: without the signature of its token, so that a reader can't send pushes to
/// Apple with what a journal holds; a class so that all pushes with the credential share one copy.
package final class RecordedCredential: Sendable {
    /// `authorization` without the signature; `nil` if it was not sent.
    package let authorization: String?
    package let verdict: TrustVerdict

    package init(authorization: String?, verdict: TrustVerdict) {
        self.authorization = authorization
        self.verdict = verdict
    }
}
