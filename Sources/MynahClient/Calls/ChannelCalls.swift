public import APNsRules

// Calls about channels (`Documents#Channels`).
extension ControlClient {
    /// `GET /v1/channels`: all broadcast channels that match the filters `bundleId` and `environment`, on all pages, in
    /// the order of their creation.
    public func channels(_ filters: [QueryItem] = []) async throws(ClientError) -> [Channel] {
        try readAll(try await documents.channels(filters))
    }

    /// `GET /v1/channels/{id}`: one channel; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func channel(_ id: String) async throws(ClientError) -> Channel { try read(try await documents.channel(id)) }

    /// `POST /v1/channels`: creates a channel and returns it; `channel` is `{"bundleId", "environment",
    /// "messageStoragePolicy", "id"}`, all but `bundleId` optional.
    public func createChannel(_ channel: JSONValue) async throws(ClientError) -> Channel {
        try read(try await documents.createChannel(channel))
    }

    /// `DELETE /v1/channels/{id}`: deletes a channel and returns it as it was.
    @discardableResult
    public func deleteChannel(_ id: String) async throws(ClientError) -> Channel {
        try read(try await documents.deleteChannel(id))
    }
}

extension ControlDocuments {
    /// `GET /v1/channels`, on all pages.
    package func channels(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "channels", filters)
    }

    /// `GET /v1/channels/{id}`.
    package func channel(_ id: String) async throws(ClientError) -> JSONValue { try await get("channels", id) }

    /// `POST /v1/channels`.
    package func createChannel(_ channel: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "channels", body: channel)
    }

    /// `DELETE /v1/channels/{id}`.
    package func deleteChannel(_ id: String) async throws(ClientError) -> JSONValue { try await delete("channels", id) }
}
