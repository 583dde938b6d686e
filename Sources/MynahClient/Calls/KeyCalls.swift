public import APNsRules

// Calls about keys and certificates (`Documents#Keys`).
extension ControlClient {
    /// `GET /ca.pem`: the CA's certificate.
    public func certificateAuthority() async throws(ClientError) -> String {
        String(decoding: try await answer("GET", "/ca.pem").body, as: UTF8.self)
    }

    /// `GET /v1/keys`: all keys, revoked ones too.
    public func keys() async throws(ClientError) -> [Key] { try readAll(try await documents.keys()) }

    /// `GET /v1/keys/{keyId}`: one key; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func key(_ keyID: String) async throws(ClientError) -> Key { try read(try await documents.key(keyID)) }

    /// `POST /v1/keys`: adds a key and returns it, with its private key if the server has made it; `key` is `{"keyId",
    /// "team", "publicKey" or "privateKey" or neither, "environment", "topics", "related"}`, all optional.
    public func addKey(_ key: JSONValue) async throws(ClientError) -> AddedKey {
        try read(try await documents.addKey(key))
    }

    /// `PUT /v1/keys/{keyId}`: adds a key, or replaces its permissions.
    @discardableResult
    public func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> AddedKey {
        try read(try await documents.replaceKey(keyID, by: key))
    }

    /// `DELETE /v1/keys/{keyId}`: revokes a key and returns it with the time of that.
    @discardableResult
    public func revokeKey(_ keyID: String) async throws(ClientError) -> Key {
        try read(try await documents.revokeKey(keyID))
    }

    /// `POST /v1/certificates`: issues a provider certificate of the server's CA; returns it with its key, the CA's
    /// certificate, and all of it as PKCS #12; `order` is
    /// `{"topics", "voip", "complication", "environment", "days", "expired", "password"}`.
    public func issueCertificate(_ order: JSONValue) async throws(ClientError) -> IssuedCertificate {
        try read(try await documents.issueCertificate(order))
    }

    /// `DELETE /v1/certificates/{serialNumber}`: revokes a provider certificate, from its return on, and returns it with
    /// the time of that.
    @discardableResult
    public func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> Certificate {
        try read(try await documents.revokeCertificate(serialNumber))
    }
}

extension ControlDocuments {
    /// `GET /v1/keys`.
    package func keys() async throws(ClientError) -> [JSONValue] { try await list("keys") }

    /// `GET /v1/keys/{keyId}`.
    package func key(_ keyID: String) async throws(ClientError) -> JSONValue { try await get("keys", keyID) }

    /// `POST /v1/keys`.
    package func addKey(_ key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "keys", body: key)
    }

    /// `PUT /v1/keys/{keyId}`.
    package func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PUT", "keys", keyID, body: key)
    }

    /// `DELETE /v1/keys/{keyId}`.
    package func revokeKey(_ keyID: String) async throws(ClientError) -> JSONValue { try await delete("keys", keyID) }

    /// `POST /v1/certificates`.
    package func issueCertificate(_ order: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "certificates", body: order)
    }

    /// `DELETE /v1/certificates/{serialNumber}`.
    package func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> JSONValue {
        try await delete("certificates", serialNumber)
    }
}
