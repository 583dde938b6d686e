public import APNsRules

extension ControlClient {
    /// `POST /v1/notifications`: has the server send a push over TLS and HTTP/2, as a provider does, and returns the
    /// answer; `push` is `{"token" or "channel", "topic", "payload", …}` (`Documents#Sent-pushes`).
    public func send(_ push: JSONValue) async throws(ClientError) -> SentNotification {
        try read(try await documents.send(push))
    }

    /// `GET /v1/notifications`: a page of the journal, by filters, `limit`, `order`, `after`, and `wait` with `count` to
    /// wait until that many match.
    public func notifications(_ query: [QueryItem] = []) async throws(ClientError) -> NotificationPage {
        try read(try await documents.notifications(query))
    }

    /// `GET /v1/notifications/{id}`: one push by sequence, apns-id or apns-unique-id; `nil` for an unknown one.
    public func notification(_ id: String) async throws(ClientError) -> Notification? {
        guard let push = try await documents.notification(id) else { return nil }
        return try read(push)
    }

    /// `DELETE /v1/notifications/{id}`: removes one push by sequence, apns-id or apns-unique-id; throws
    /// ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func deleteNotification(_ id: String) async throws(ClientError) {
        try await documents.deleteNotification(id)
    }

    /// `DELETE /v1/notifications`: removes the pushes that match; all without a filter.
    @discardableResult
    public func deleteNotifications(_ query: [QueryItem] = []) async throws(ClientError) -> Removed {
        try read(try await documents.deleteNotifications(query))
    }

    /// `POST /v1/expectations`: waits for an expectation (`Documents#Expectations`) to be met:
    /// `{"match", "count", "within", "settle", "after", "scope"}`.
    public func expectation(_ expectation: JSONValue) async throws(ClientError) -> ExpectationResult {
        try read(try await documents.expectation(expectation))
    }
}

extension ControlDocuments {
    /// `GET /v1/notifications`: one page.
    package func notifications(_ query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        let waits = query.contains { $0.name == "wait" }
        return try await get("notifications", query: query, timeout: waits ? client.waitTimeout : nil)
    }

    /// `GET /v1/notifications/{id}`; `nil` for an unknown push.
    package func notification(_ id: String) async throws(ClientError) -> JSONValue? {
        do { return try await get("notifications", id) } catch {
            if error.status == 404 { return nil }
            throw error
        }
    }

    /// `DELETE /v1/notifications/{id}`.
    func deleteNotification(_ id: String) async throws(ClientError) {
        _ = try await delete("notifications", id)
    }

    /// `DELETE /v1/notifications`.
    package func deleteNotifications(_ query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("notifications", query: query)
    }

    /// `POST /v1/notifications`.
    func send(_ push: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "notifications", body: push, timeout: client.waitTimeout)
    }

    /// `POST /v1/expectations`.
    package func expectation(_ expectation: JSONValue) async throws(ClientError) -> JSONValue {
        // The default is that of the server (`Documents#Expectations`).
        let within = expectation["within"]?.string.flatMap { DurationText.parse($0) } ?? .seconds(5)
        let settle = expectation["settle"]?.string.flatMap { DurationText.parse($0) } ?? .zero
        let timeout = within + settle + client.answerTimeout
        let answer = try await send("POST", "expectations", body: expectation, timeout: timeout)
        guard answer["met"]?.bool != nil else {
            throw ClientError(.notMynah, "the answer to the expectation does not say whether it is met")
        }
        return answer
    }
}
