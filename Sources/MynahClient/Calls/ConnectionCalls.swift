package import APNsRules

// Calls about connections (`Documents#Connections`).
extension ControlClient {
    /// `GET /v1/connections`: all open connections that match the filters `environment`, `team`, `keyId`, `connection`.
    public func connections(_ filters: [QueryItem] = []) async throws(ClientError) -> [Connection] {
        try readAll(try await documents.connections(filters))
    }

    /// `DELETE /v1/connections/{id}`: sends GOAWAY and lets the streams finish, or with `abort` resets the connection;
    /// returns when it has closed.
    public func closeConnection(_ id: Int, abort: Bool = false) async throws(ClientError) {
        try await documents.closeConnection(id, abort: abort)
    }

    /// `GET /v1/failed-handshakes`: the latest connections whose TLS handshake failed, newest first.
    public func failedHandshakes() async throws(ClientError) -> [FailedHandshake] {
        try readAll(try await documents.failedHandshakes())
    }
}

extension ControlDocuments {
    /// `GET /v1/connections`, on all pages.
    package func connections(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "connections", filters)
    }

    /// `DELETE /v1/connections/{id}`.
    func closeConnection(_ id: Int, abort: Bool = false) async throws(ClientError) {
        try await delete("connections", String(id), query: abort ? [QueryItem("abort", "true")] : [])
    }

    /// `GET /v1/failed-handshakes`.
    package func failedHandshakes() async throws(ClientError) -> [JSONValue] { try await list("failed-handshakes") }
}
