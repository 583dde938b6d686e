public import APNsRules

/// The signing keys whose provider tokens a server accepts (`Documents#Keys`).
extension ControlClient {
    /// `GET /v1/keys`: all keys, revoked ones too.
    public func keys() async throws(ClientError) -> [JSONValue] {
        try items(of: try await json("GET", "/v1/keys"), called: "keys")
    }

    /// `GET /v1/keys/{keyId}`: one key; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func key(_ keyID: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofKey: keyID))
    }

    /// `POST /v1/keys`: adds a key.
    ///
    /// - Parameter key: `{"keyId", "team", "publicKey" or "privateKey" or neither, "environment", "topics",
    ///   "related"}`, all optional.
    /// - Returns: the key, with `privateKey` if the server has made it.
    public func addKey(_ key: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/keys", body: key)
    }

    /// `PUT /v1/keys/{keyId}`: adds a key, or replaces its permissions.
    public func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("PUT", ControlClient.target(ofKey: keyID), body: key)
    }

    /// `DELETE /v1/keys/{keyId}`: revokes a key.
    ///
    /// - Returns: the key, with `revokedAt`.
    @discardableResult
    public func revokeKey(_ keyID: String) async throws(ClientError) -> JSONValue {
        try await json("DELETE", ControlClient.target(ofKey: keyID))
    }

    private static func target(ofKey keyID: String) -> String { "/v1/keys/" + QueryItem.encoded(keyID) }
}
