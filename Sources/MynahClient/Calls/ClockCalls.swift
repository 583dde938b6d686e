public import APNsRules

// Calls about time (`Documents#Clock`).
extension ControlClient {
    /// `GET /v1/clock`: the time of the server, or of a scope.
    public func clock(ofScope scope: String? = nil) async throws(ClientError) -> Clock {
        try read(try await documents.clock(ofScope: scope))
    }

    /// `PUT /v1/clock`: changes how the clock runs; `change` is `{"mode": "real" | "offset" | "frozen", "now", "scope"}`.
    @discardableResult
    public func setClock(_ change: JSONValue) async throws(ClientError) -> ClockReport {
        try read(try await documents.setClock(change))
    }

    /// `PUT /v1/clock`: stops the clock of the server or of a scope, now or at a time.
    @discardableResult
    public func freezeClock(
        at now: Instant? = nil, ofScope scope: String? = nil
    ) async throws(ClientError) -> ClockReport {
        let times = now.map { [JSONMember("now", .string($0.rfc3339))] } ?? []
        let scopes = scope.map { [JSONMember("scope", .string($0))] } ?? []
        return try await setClock(.object([JSONMember("mode", "frozen")] + times + scopes))
    }

    /// `POST /v1/clock/advance`: puts the clock forward, and returns when everything that became due has happened;
    /// `advance` is `{"by" or "to", "scope"}`, and `"to": "next"` is when the next thing becomes due.
    @discardableResult
    public func advanceClock(_ advance: JSONValue) async throws(ClientError) -> ClockReport {
        try read(try await documents.advanceClock(advance))
    }

    /// `POST /v1/clock/advance`: puts the clock of the server or of a scope forward by a time.
    @discardableResult
    public func advanceClock(by time: Duration, ofScope scope: String? = nil) async throws(ClientError) -> ClockReport {
        let scopes = scope.map { [JSONMember("scope", .string($0))] } ?? []
        return try await advanceClock(.object([JSONMember("by", .duration(time))] + scopes))
    }
}

extension ControlDocuments {
    /// `GET /v1/clock`.
    package func clock(ofScope scope: String? = nil) async throws(ClientError) -> JSONValue {
        try await get("clock", query: ofScope(scope))
    }

    /// `PUT /v1/clock`.
    func setClock(_ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PUT", "clock", body: change)
    }

    /// `POST /v1/clock/advance`.
    func advanceClock(_ advance: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "clock", "advance", body: advance)
    }
}
