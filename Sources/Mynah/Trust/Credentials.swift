internal import MynahTrust

/// What code under test needs: the CA to trust, and the generated key to sign with.
public struct Credentials: Hashable, Sendable {
    /// The CA's certificate, PEM.
    public let caPEM: String
    /// The id of the generated signing key; `nil` if the user gave keys.
    public let keyID: String?
    /// The team of the keys.
    public let teamID: String?
    /// The generated signing key, PKCS #8 in PEM; `nil` if the user gave keys.
    public let keyPEM: String?
}

extension Server {
    /// What `GET /v1/credentials` answers; never the CA's key or a key that the user gave.
    public var credentials: Credentials {
        let key = trust.developmentKey
        return Credentials(
            caPEM: trust.caPEM, keyID: key?.keyID, teamID: trust.primaryKey.team, keyPEM: key?.privateKey?.pem)
    }
}
