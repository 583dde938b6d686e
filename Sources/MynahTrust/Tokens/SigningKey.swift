package import APNsRules

/// A key for provider tokens: its id, its team, its public half, and the private half where it is known
/// (`ProviderAPI#Token-format`).
package struct SigningKey: Sendable {
    /// The `kid` of its tokens, 10 characters.
    package let keyID: String
    /// The `iss` of its tokens, 10 characters.
    package let team: String
    /// Verifies its tokens.
    package let publicKey: P256PublicKey
    /// Signs its tokens; `nil` where only the public half was given.
    package let privateKey: P256PrivateKey?

    /// What it may be used for.
    package let scope: KeyScope
    /// When it was revoked; `nil` while its tokens are good.
    package let revokedAt: Instant?

    /// A key that can verify only.
    ///
    /// - Throws: ``TrustError`` when an id has not 10 letters or digits.
    package init(
        keyID: String, team: String, publicKey: P256PublicKey, scope: KeyScope = .team, revokedAt: Instant? = nil
    ) throws(TrustError) {
        try Identifier.check(keyID, "key id")
        try Identifier.check(team, "team id")
        self.init(
            keyID: keyID, team: team, publicKey: publicKey, privateKey: nil, scope: scope, revokedAt: revokedAt)
    }

    /// A key that can sign.
    ///
    /// - Throws: ``TrustError`` when an id has not 10 letters or digits.
    package init(
        keyID: String, team: String, privateKey: P256PrivateKey, scope: KeyScope = .team, revokedAt: Instant? = nil
    ) throws(TrustError) {
        try Identifier.check(keyID, "key id")
        try Identifier.check(team, "team id")
        self.init(
            keyID: keyID, team: team, publicKey: privateKey.publicKey, privateKey: privateKey, scope: scope,
            revokedAt: revokedAt)
    }

    private init(
        keyID: String, team: String, publicKey: P256PublicKey, privateKey: P256PrivateKey?, scope: KeyScope,
        revokedAt: Instant?
    ) {
        self.keyID = keyID
        self.team = team
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.scope = scope
        self.revokedAt = revokedAt
    }

    /// A new key under a random id, of the given team or a random one.
    package static func generate(team: String? = nil, scope: KeyScope = .team) throws(TrustError) -> SigningKey {
        try SigningKey(
            keyID: Identifier.random(), team: team ?? Identifier.random(), privateKey: .generate(), scope: scope)
    }

    /// The same key for other uses.
    package func with(scope: KeyScope) -> SigningKey {
        SigningKey(
            keyID: keyID, team: team, publicKey: publicKey, privateKey: privateKey, scope: scope, revokedAt: revokedAt)
    }

    /// The same key, revoked; one that is revoked stays so since when it was.
    package func revoked(at now: Instant) -> SigningKey {
        SigningKey(
            keyID: keyID, team: team, publicKey: publicKey, privateKey: privateKey, scope: scope,
            revokedAt: revokedAt ?? now)
    }

    /// The name that Apple gives the key's file.
    package var fileName: String { "AuthKey_\(keyID).p8" }

    /// The key id in a file's name, `AuthKey_<10 letters or digits>.p8`; `nil` when it is named otherwise.
    package static func keyID(inFileName name: some StringProtocol) -> String? {
        let (prefix, suffix) = ("AuthKey_", ".p8")
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let identifier = String(name.dropFirst(prefix.count).dropLast(suffix.count))
        return Identifier.isWellFormed(identifier) ? identifier : nil
    }
}

/// Key ids and team ids: 10 letters or digits (`ProviderAPI#Token-format`).
package enum Identifier {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// A random one, in capitals and digits as Apple's are.
    ///
    /// It names, and keeps no secret.
    package static func random() -> String {
        String((0..<Limits.identifierLength).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    /// Whether a text can be one.
    package static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == Limits.identifierLength
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }

    static func check(_ text: String, _ name: String) throws(TrustError) {
        guard !isWellFormed(text) else { return }
        throw TrustError(
            .badSetting, "the \(name) \"\(text)\" is not \(Limits.identifierLength) letters or digits",
            remedy: "Apple's look like ABCDE12345")
    }
}
