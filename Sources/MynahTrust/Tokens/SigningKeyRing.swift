package import APNsRules

/// How provider tokens are judged (`ControlAPI#Authentication-of-providers`).
package enum TokenAuthentication: Sendable {
    /// The key must be known and belong to the token's team, and the signature must be valid.
    case strict
    /// A well-formed token of any key passes, for any topic and environment.
    case structural
}

/// The keys whose provider tokens are accepted; a verdict takes about 100 µs, so callers cache it.
package struct SigningKeyRing: Sendable {
    /// The most keys that a refusal's detail lists.
    private static let namedKeysMax = 5

    private let keysByID: [String: SigningKey]

    /// Of two keys with the same id, the last one counts.
    package init(_ keys: [SigningKey] = []) {
        self.keysByID = Dictionary(keys.map { ($0.keyID, $0) }) { _, last in last }
    }

    package var keys: [SigningKey] { keysByID.values.sorted { $0.keyID < $1.keyID } }
    package subscript(keyID: String) -> SigningKey? { keysByID[keyID] }
    package func adding(_ key: SigningKey) -> SigningKeyRing { SigningKeyRing(Array(keysByID.values) + [key]) }

    /// The ring with the key of this id revoked: still known, but its tokens are refused; `nil` if it isn't known.
    ///
    /// A key that is already revoked keeps its time of revocation.
    package func revoking(keyID: String, at now: Instant) -> SigningKeyRing? {
        guard var key = keysByID[keyID] else { return nil }
        key.revokedAt = key.revokedAt ?? now
        return adding(key)
    }

    /// Judges a request's `authorization`: its form, then kid, iss and signature (`ProviderAPI#Token-format`).
    package func verdict(
        on authorization: AuthorizationValue?, authentication: TokenAuthentication = .strict
    ) -> TrustVerdict {
        guard let bytes = authorization?.bearerToken else { return .missing }
        do throws(Refusal) {
            let token = try ProviderToken(parsing: bytes)
            let key = authentication == .strict ? try prove(token) : nil
            let identity = ProviderIdentity(
                team: token.team, keyID: token.keyID, issuedAt: token.issuedAt, warnings: token.warnings,
                scope: key?.scope ?? .team)
            return key?.revokedAt == nil ? .token(identity) : .revokedKey(identity)
        } catch {
            return .invalid(error)
        }
    }

    private func prove(_ token: ProviderToken) throws(Refusal) -> SigningKey {
        guard let key = keysByID[token.keyID] else { throw unknownKey(token) }
        guard token.team == key.team else {
            throw .invalidToken("iss is \(token.team), but the key \(key.keyID) belongs to team \(key.team)")
        }
        let isGood = try attempt(key.publicKey.verifies(token.signature, of: token.signedBytes, token.algorithm)) {
            Refusal.invalidToken("the signature could not be checked: \($0.problem)")
        }
        guard isGood else {
            throw .invalidToken(
                "the signature is not that of key \(key.keyID): another key signed, or the token was changed")
        }
        return key
    }

    private func unknownKey(_ token: ProviderToken) -> Refusal {
        if keysByID[token.team] != nil, keysByID.values.contains(where: { $0.team == token.keyID }) {
            return .invalidToken(
                "kid \(token.keyID) is a known team and iss \(token.team) a known key: are they swapped?")
        }
        guard !keysByID.isEmpty else { return .invalidToken("kid \(token.keyID) is not a known key; no key is known") }
        let known = keys.prefix(SigningKeyRing.namedKeysMax).map { "\($0.keyID) of team \($0.team)" }
        let more = keysByID.count > known.count ? " and \(keysByID.count - known.count) more" : ""
        return .invalidToken("kid \(token.keyID) is not a known key; known: \(known.joined(separator: ", "))\(more)")
    }
}
