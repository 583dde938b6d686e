public import APNsRules

/// The fault rules and scenarios of a server (`Documents#Fault-rules`).
extension ControlClient {
    /// `GET /v1/faults`: all rules that match the filters, in the order in which they apply.
    ///
    /// - Parameter filters: `fault`, `name`, `scope`, `enabled`, `event`, `action`.
    public func faults(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        var faults: [JSONValue] = []
        var pages = ListPages(client: self, path: "/v1/faults", filters: filters, name: "faults")
        while let items = try await pages.next() { faults += items }
        return faults
    }

    /// `GET /v1/faults/{id}`: one rule; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func fault(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofFault: id))
    }

    /// `POST /v1/faults`: adds a rule, or all of an array.
    ///
    /// - Returns: the rule, or `{"items": [...]}`.
    public func addFaults(_ rules: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/faults", body: rules)
    }

    /// `PATCH /v1/faults/{id}`: changes a part of a rule and keeps its counters.
    public func changeFault(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("PATCH", ControlClient.target(ofFault: id), body: change)
    }

    /// `DELETE /v1/faults/{id}`.
    @discardableResult public func removeFault(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("DELETE", ControlClient.target(ofFault: id))
    }

    /// `DELETE /v1/faults`: removes the rules that match the filters; all without a filter.
    ///
    /// - Returns: `{"removed": {"faults": …}}`.
    @discardableResult public func removeFaults(_ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await json("DELETE", QueryItem.target("/v1/faults", filters))
    }

    /// `GET /v1/scenarios`: the running scenarios, or with `shipped` those that are part of Mynah.
    public func scenarios(shipped: Bool = false) async throws(ClientError) -> [JSONValue] {
        let query = shipped ? [QueryItem("shipped", "true")] : []
        return try items(of: try await json("GET", QueryItem.target("/v1/scenarios", query)), called: "scenarios")
    }

    /// `GET /v1/scenarios/{name}`: a running one; throws ``ClientError/Code/problem`` with status 404 for any other.
    public func scenario(_ name: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofScenario: name))
    }

    /// `POST /v1/scenarios`: starts a scenario; `{"name": …}` alone starts a shipped one.
    public func startScenario(_ scenario: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/scenarios", body: scenario)
    }

    /// `DELETE /v1/scenarios/{name}`: removes a scenario, or all with `nil`, and the rules that they have added.
    ///
    /// - Returns: `{"removed": {"scenarios": …, "faults": …}}`.
    @discardableResult public func removeScenario(_ name: String?) async throws(ClientError) -> JSONValue {
        try await json("DELETE", name.map { ControlClient.target(ofScenario: $0) } ?? "/v1/scenarios")
    }

    private static func target(ofFault id: String) -> String { "/v1/faults/" + QueryItem.encoded(id) }

    private static func target(ofScenario name: String) -> String { "/v1/scenarios/" + QueryItem.encoded(name) }
}
