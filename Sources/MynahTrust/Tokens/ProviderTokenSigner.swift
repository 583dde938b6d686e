package import APNsRules

/// Makes provider tokens: compact JWS (RFC 7515 §7.1), ES256 (`ProviderAPI#Token-format`).
package struct ProviderTokenSigner: Sendable {
    private let key: SigningKey
    private let privateKey: P256PrivateKey

    /// - Throws: ``TrustError`` if the key has no private half.
    package init(key: SigningKey) throws(TrustError) {
        guard let privateKey = key.privateKey else {
            throw TrustError(
                .badSetting, "the private half of key \(key.keyID) is unknown, so it can't sign",
                remedy: "Give its .p8 file")
        }
        self.key = key
        self.privateKey = privateKey
    }

    /// Makes a token issued at `issuedAt`, cut to the second, without the word `bearer`.
    package func token(issuedAt: Instant) throws(TrustError) -> String {
        let header: JSONValue = ["alg": "ES256", "kid": .string(key.keyID)]
        let claims: JSONValue = [
            "iss": .string(key.team), "iat": .number(JSONNumber(issuedAt.milliseconds / 1000)),
        ]
        let signed = [header, claims].map { Base64.encode($0.encoded, url: true) }.joined(separator: ".")
        return signed + "." + Base64.encode(try privateKey.signature(of: Array(signed.utf8), .es256), url: true)
    }
}
