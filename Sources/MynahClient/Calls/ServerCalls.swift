package import APNsRules

extension ControlClient {
    /// `GET /v1/status`: the server's version, ports, clock and counts.
    public func status() async throws(ClientError) -> Status { try read(try await documents.status()) }

    /// `GET /v1/credentials`: the CA and the development key for the code under test.
    public func credentials() async throws(ClientError) -> Credentials { try read(try await documents.credentials()) }

    /// `POST /v1/reset`: restores the state after start, of the parts in `only` (`notifications`, `devices`, …) or of all,
    /// in one scope or everywhere.
    @discardableResult
    public func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> Removed {
        try read(try await documents.reset(only: only, scope: scope))
    }

    /// `GET /v1/scopes`: the scopes in use, on all pages.
    public func scopes() async throws(ClientError) -> [ScopeUse] { try readAll(try await documents.scopes()) }

    /// `DELETE /v1/scopes/{name}`: removes everything of a scope: devices, faults, pushes, clock.
    @discardableResult
    public func removeScope(_ name: String) async throws(ClientError) -> Removed {
        try read(try await documents.removeScope(name))
    }
}

extension ControlDocuments {
    /// `GET /v1/status`.
    package func status() async throws(ClientError) -> JSONValue {
        let status = try await get("status")
        guard status["version"]?.string != nil else {
            throw ClientError(.notMynah, "the status at \(client.url) has no version")
        }
        return status
    }

    /// `GET /v1/credentials`.
    func credentials() async throws(ClientError) -> JSONValue { try await get("credentials") }

    /// `POST /v1/reset`.
    package func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> JSONValue {
        let parts = only.map { [JSONMember("only", .array($0.map { .string($0) }))] } ?? []
        let scopes = scope.map { [JSONMember("scope", .string($0))] } ?? []
        return try await send("POST", "reset", body: .object(parts + scopes))
    }

    /// `GET /v1/scopes`, on all pages.
    func scopes() async throws(ClientError) -> [JSONValue] { try await all(of: "scopes", []) }

    /// `DELETE /v1/scopes/{name}`.
    func removeScope(_ name: String) async throws(ClientError) -> JSONValue { try await delete("scopes", name) }
}
