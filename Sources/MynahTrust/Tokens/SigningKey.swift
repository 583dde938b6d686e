package import APNsRules

/// A key for provider tokens, with its private half if that is known (`ProviderAPI#Token-format`).
package struct SigningKey: Sendable {
    package let keyID: String
    package let team: String
    package let publicKey: P256PublicKey
    /// `nil` if only the public half was given.
    package private(set) var privateKey: P256PrivateKey?
    package var scope: KeyScope
    /// When the key was revoked; `nil` while its tokens are accepted.
    package internal(set) var revokedAt: Instant?

    /// Makes a key that can only verify; throws if an id doesn't have 10 letters or digits.
    package init(
        keyID: String, team: String, publicKey: P256PublicKey, scope: KeyScope = .team, revokedAt: Instant? = nil
    ) throws(TrustError) {
        try Identifier.check(keyID, "key id")
        try Identifier.check(team, "team id")
        self.keyID = keyID
        self.team = team
        self.publicKey = publicKey
        self.scope = scope
        self.revokedAt = revokedAt
    }

    /// Makes a key that can sign; throws if an id doesn't have 10 letters or digits.
    package init(
        keyID: String, team: String, privateKey: P256PrivateKey, scope: KeyScope = .team, revokedAt: Instant? = nil
    ) throws(TrustError) {
        try self.init(keyID: keyID, team: team, publicKey: privateKey.publicKey, scope: scope, revokedAt: revokedAt)
        self.privateKey = privateKey
    }

    /// Makes a key with a random id, of the given team or a random one.
    package static func generate(team: String? = nil, scope: KeyScope = .team) throws(TrustError) -> SigningKey {
        try SigningKey(
            keyID: Identifier.random(), team: team ?? Identifier.random(), privateKey: .generate(), scope: scope)
    }

    /// The key without its private half.
    package var publicHalf: SigningKey { withPrivateKey(nil) }

    /// The key with the private half of another one, whose public half is the same.
    package func withPrivateHalf(of other: SigningKey) -> SigningKey { withPrivateKey(other.privateKey) }

    private func withPrivateKey(_ privateKey: P256PrivateKey?) -> SigningKey {
        var key = self
        key.privateKey = privateKey
        return key
    }

    /// Makes a provider token, a compact JWS (RFC 7515 §7.1) signed with ES256 (`ProviderAPI#Token-format`), with
    /// `issuedAt` cut to the second; throws if the key has no private half.
    package func token(issuedAt: Instant) throws(TrustError) -> String {
        guard let privateKey else {
            throw TrustError(
                .badSetting, "the private half of key \(keyID) is unknown, so it can't sign",
                remedy: "Give its .p8 file")
        }
        let header: JSONValue = ["alg": "ES256", "kid": .string(keyID)]
        let claims: JSONValue = ["iss": .string(team), "iat": .number(JSONNumber(issuedAt.milliseconds / 1000))]
        return try privateKey.webToken(header: header, claims: claims)
    }

    /// The name that Apple gives the key's file.
    package var fileName: String { "AuthKey_\(keyID).p8" }

    /// The key id in a file's name, `AuthKey_<10 letters or digits>.p8`; `nil` for other names.
    package static func keyID(inFileName name: some StringProtocol) -> String? {
        let prefix = "AuthKey_"
        let suffix = ".p8"
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let identifier = String(name.dropFirst(prefix.count).dropLast(suffix.count))
        return Identifier.isWellFormed(identifier) ? identifier : nil
    }
}

extension SigningKey: Equatable {
    /// Compares keys without their private halves, as a public half has only one.
    package static func == (one: SigningKey, other: SigningKey) -> Bool {
        one.keyID == other.keyID && one.team == other.team && one.publicKey == other.publicKey
            && (one.privateKey == nil) == (other.privateKey == nil) && one.scope == other.scope
            && one.revokedAt == other.revokedAt
    }
}

/// Key ids and team ids: 10 letters or digits (`ProviderAPI#Token-format`).
package enum Identifier {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// Makes an id of capital letters and digits, as Apple's are; it isn't a secret.
    package static func random() -> String {
        String((0..<Limits.identifierLength).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    package static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == Limits.identifierLength
            && text.utf8.allSatisfy(\.isASCIIAlphanumeric)
    }

    static func check(_ text: String, _ name: String) throws(TrustError) {
        guard !isWellFormed(text) else { return }
        throw TrustError(
            .badSetting, "the \(name) \"\(text)\" is not \(Limits.identifierLength) letters or digits",
            remedy: "Apple's look like ABCDE12345")
    }
}
