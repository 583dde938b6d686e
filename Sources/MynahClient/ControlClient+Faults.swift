public import APNsRules

/// The fault rules and scenarios of a server (`Documents#Fault-rules`).
extension ControlClient {
    /// `GET /v1/faults`: all rules that the filters hold for, in the order in which they are asked.
    ///
    /// - Parameter filters: `fault`, `name`, `scope`, `enabled`, `event`, `action`.
    public func faults(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        var faults: [JSONValue] = []
        var pages = ListPages(client: self, path: "/v1/faults", filters: filters, name: "faults")
        while let items = try await pages.next() { faults += items }
        return faults
    }

    /// `GET /v1/faults/{id}`: one rule; ``ClientError/Code/problem`` with status 404 when there is none.
    public func fault(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofFault: id))
    }

    /// `POST /v1/faults`: adds a rule, or an array of them as a whole.
    ///
    /// - Returns: the rule, or `{"items": [...]}`.
    public func addFaults(_ rules: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/faults", body: rules)
    }

    /// `PATCH /v1/faults/{id}`: changes a part of a rule, whose counters go on.
    public func changeFault(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("PATCH", ControlClient.target(ofFault: id), body: change)
    }

    /// `DELETE /v1/faults/{id}`.
    @discardableResult public func removeFault(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("DELETE", ControlClient.target(ofFault: id))
    }

    /// `DELETE /v1/faults`: removes the rules that the filters hold for, all without one.
    ///
    /// - Returns: what was removed, `{"removed": {"faults": …}}`.
    @discardableResult public func removeFaults(_ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await json("DELETE", QueryItem.target("/v1/faults", filters))
    }

    /// `GET /v1/scenarios`: the scenarios that run, or with `shipped` those that the server brings along.
    public func scenarios(shipped: Bool = false) async throws(ClientError) -> [JSONValue] {
        let query = shipped ? [QueryItem("shipped", "true")] : []
        return try items(of: try await json("GET", QueryItem.target("/v1/scenarios", query)), called: "scenarios")
    }

    /// `GET /v1/scenarios/{name}`: one that runs; ``ClientError/Code/problem`` with status 404 when there is none.
    public func scenario(_ name: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofScenario: name))
    }

    /// `POST /v1/scenarios`: lets a scenario begin; `{"name": …}` alone means a shipped one.
    public func startScenario(_ scenario: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/scenarios", body: scenario)
    }

    /// `DELETE /v1/scenarios/{name}`, or with `nil` all of them, with the rules that they have added.
    ///
    /// - Returns: what was removed, `{"removed": {"scenarios": …, "faults": …}}`.
    @discardableResult public func removeScenario(_ name: String?) async throws(ClientError) -> JSONValue {
        try await json("DELETE", name.map { ControlClient.target(ofScenario: $0) } ?? "/v1/scenarios")
    }

    private static func target(ofFault id: String) -> String { "/v1/faults/" + QueryItem.encoded(id) }

    private static func target(ofScenario name: String) -> String { "/v1/scenarios/" + QueryItem.encoded(name) }
}
