import APNsRules
import MynahTrust
import Testing

/// The time of these tests: 2026-01-01T00:00:00Z.
let testNow = Instant(seconds: 1_767_225_600)

/// A value of `authorization` with this token.
func authorization(_ token: String, scheme: String = "bearer") -> AuthorizationValue {
    AuthorizationValue(Array("\(scheme) \(token)".utf8))
}

/// Expects InvalidProviderToken, and a detail that contains each of the given pieces.
func expectInvalid(
    _ verdict: TrustVerdict, _ pieces: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
    guard case .invalid(let refusal) = verdict else {
        Issue.record("\(verdict) is not a refusal", sourceLocation: sourceLocation)
        return
    }
    #expect(refusal.reason == .invalidProviderToken, sourceLocation: sourceLocation)
    for piece in pieces {
        #expect(refusal.detail.contains(piece), "detail: \(refusal.detail)", sourceLocation: sourceLocation)
    }
}

/// The identity in a verdict that accepts the token.
func identity(in verdict: TrustVerdict, sourceLocation: SourceLocation = #_sourceLocation) throws -> ProviderIdentity {
    guard case .token(let identity) = verdict else {
        Issue.record("\(verdict) is not a good token", sourceLocation: sourceLocation)
        throw NotAGoodToken()
    }
    return identity
}

private struct NotAGoodToken: Error {}

extension TrustMaterial {
    /// Issues a certificate for a new key, on P-256 because an RSA key takes longer to make.
    func issueProvider(
        _ request: ProviderCertificateRequest, keyType: ProviderKeyType = .ec
    ) throws -> IssuedProviderCertificate {
        try issueProvider(request, for: .generate(keyType))
    }
}

/// Returns the ``TrustError`` that a closure must throw.
func trustError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> TrustError {
    try #require(throws: TrustError.self, sourceLocation: sourceLocation) { try body() }
}
