package import APNsRules

/// How provider tokens and certificates are judged (`ControlAPI#Authentication-of-providers`).
package enum TokenAuthentication: Sendable {
    /// A token's key must be known and belong to the token's team, and the signature must be valid. A known CA must have
    /// signed a certificate, whose contents are as in Apple's.
    case strict
    /// A well-formed token of any key passes, for any topic and environment, and any certificate that is valid now, for
    /// any topic if it names none.
    case structural
}

/// The keys whose provider tokens are accepted; a verdict takes about 100 µs, so callers cache it.
package struct SigningKeyRing: Sendable {
    /// The most keys that a refusal's detail lists.
    private static let namedKeysMax = 5

    private var keysByID: [String: SigningKey] = [:]
    // Sorted.
    private var keyIDs: [String] = []
    // The keys that name a key as their related one, by its id.
    private var relating: [String: Set<String>] = [:]

    /// Makes a ring of keys; of two keys with the same id, the last one counts.
    package init(_ keys: [SigningKey] = []) { for key in keys { self[key.keyID] = key } }

    /// The keys in the order of their ids.
    package var keys: [SigningKey] { keyIDs.compactMap { keysByID[$0] } }
    package var count: Int { keysByID.count }

    /// The key with an id; getting and setting it takes the same time however many keys there are.
    package subscript(keyID: String) -> SigningKey? {
        get { keysByID[keyID] }
        set {
            let place = place(of: keyID)
            switch (keysByID[keyID] == nil, newValue == nil) {
            case (true, false): keyIDs.insert(keyID, at: place)
            case (false, true): keyIDs.remove(at: place)
            default: break
            }
            if let related = keysByID[keyID]?.scope.relatedKeyID { relating[related]?.remove(keyID) }
            if let related = newValue?.scope.relatedKeyID { relating[related, default: []].insert(keyID) }
            keysByID[keyID] = newValue
        }
    }

    private func place(of keyID: String) -> Int {
        var low = 0
        var high = keyIDs.count
        while low < high {
            let middle = (low + high) / 2
            if keyIDs[middle] < keyID { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The other keys that a key is related to, by either's choice.
    package func partners(of key: SigningKey) -> [SigningKey] {
        let ids = (relating[key.keyID] ?? []).union([key.scope.relatedKeyID].compactMap(\.self))
        return ids.filter { $0 != key.keyID }.sorted().compactMap { keysByID[$0] }
    }

    /// The ring with a further key, which replaces the one with its id.
    package func adding(_ key: SigningKey) -> SigningKeyRing {
        var ring = self
        ring[key.keyID] = key
        return ring
    }

    /// Revokes the key of this id: still known, but its tokens are refused; returns it, or `nil` if it isn't known.
    ///
    /// A key that is already revoked keeps its time of revocation.
    @discardableResult
    package mutating func revoke(keyID: String, at now: Instant) -> SigningKey? {
        guard var key = keysByID[keyID] else { return nil }
        key.revokedAt = key.revokedAt ?? now
        keysByID[keyID] = key
        return key
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
        let named = keyIDs.prefix(SigningKeyRing.namedKeysMax).compactMap { keysByID[$0] }
        let known = named.map { "\($0.keyID) of team \($0.team)" }
        let more = keysByID.count > known.count ? " and \(keysByID.count - known.count) more" : ""
        return .invalidToken("kid \(token.keyID) is not a known key; known: \(known.joined(separator: ", "))\(more)")
    }
}
