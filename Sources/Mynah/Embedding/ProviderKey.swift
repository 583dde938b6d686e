public import APNsRules
internal import MynahTrust

/// A key that signs provider tokens: what Apple issues as `AuthKey_<KEYID>.p8`, with its two ids
/// (`ProviderAPI#Token-format`).
public struct ProviderKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The `kid` of its tokens, 10 letters or digits.
    public let keyID: String
    /// The `iss` of its tokens, 10 letters or digits.
    public let teamID: String
    /// The text of the .p8 file: `PRIVATE KEY`, PKCS #8 in PEM.
    public let pem: String

    /// A key of the caller's, known to a server or not.
    public init(keyID: String, teamID: String, pem: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.pem = pem
    }

    /// The name that Apple gives the key's file.
    public var fileName: String { "AuthKey_\(keyID).p8" }

    /// Its ids; never the key.
    public var description: String { "provider key \(keyID) of team \(teamID)" }

    /// Its ids, for `dump` and debuggers alike.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID, "teamID": teamID]) }

    /// Makes a provider token of a moment: compact JWS, ES256, without the word `bearer` (`ProviderAPI#Token-format`).
    ///
    /// - Parameter issuedAt: Its `iat`, cut to the second; APNs takes a token for an hour.
    /// - Throws: ``MynahError`` if ``pem`` is not a key on P-256, or an id is invalid.
    public func token(issuedAt: Instant) throws(MynahError) -> String {
        do {
            let key = try SigningKey(keyID: keyID, team: teamID, privateKey: try P256PrivateKey(pem: pem))
            return try ProviderTokenSigner(key: key).token(issuedAt: issuedAt)
        } catch {
            throw MynahError(.invalid, error.description)
        }
    }
}
