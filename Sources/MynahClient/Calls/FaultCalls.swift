public import APNsRules

// Calls about faults and scenarios (`Documents#Fault-rules`).
extension ControlClient {
    /// `GET /v1/faults`: all rules, in the order in which they apply, that match the filters `fault`, `name`, `scope`,
    /// `enabled`, `event`, `action`.
    public func faults(_ filters: [QueryItem] = []) async throws(ClientError) -> [Fault] {
        try readAll(try await documents.faults(filters))
    }

    /// `GET /v1/faults/{id}`: one rule; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func fault(_ id: String) async throws(ClientError) -> Fault { try read(try await documents.fault(id)) }

    /// `POST /v1/faults`: adds a rule and returns it.
    @discardableResult
    public func addFault(_ rule: JSONValue) async throws(ClientError) -> Fault {
        try read(try await documents.addFaults(rule))
    }

    /// `POST /v1/faults`: adds all rules, or none if one is invalid; returns them.
    @discardableResult
    public func addFaults(_ rules: [JSONValue]) async throws(ClientError) -> FaultPage {
        try read(try await documents.addFaults(.array(rules)))
    }

    /// `PATCH /v1/faults/{id}`: changes a part of a rule and keeps its counters.
    @discardableResult
    public func changeFault(_ id: String, _ change: JSONValue) async throws(ClientError) -> Fault {
        try read(try await documents.changeFault(id, change))
    }

    /// `DELETE /v1/faults/{id}`: removes one rule.
    @discardableResult
    public func removeFault(_ id: String) async throws(ClientError) -> Removed {
        try read(try await documents.removeFault(id))
    }

    /// `DELETE /v1/faults`: removes the rules that match, all without a filter.
    @discardableResult
    public func removeFaults(_ filters: [QueryItem] = []) async throws(ClientError) -> Removed {
        try read(try await documents.removeFaults(filters))
    }

    /// `GET /v1/scenarios`: the running scenarios, all or those of a scope.
    public func scenarios(ofScope scope: String? = nil) async throws(ClientError) -> [Scenario] {
        try readAll(try await documents.scenarios(ofScope: scope))
    }

    /// `GET /v1/scenarios/{name}`: a running one; throws ``ClientError/Code/problem`` with status 404 for any other.
    public func scenario(_ name: String, ofScope scope: String? = nil) async throws(ClientError) -> Scenario {
        try read(try await documents.scenario(name, ofScope: scope))
    }

    /// `POST /v1/scenarios`: starts a scenario; `{"name": …}` alone starts a shipped one.
    @discardableResult
    public func startScenario(_ scenario: JSONValue) async throws(ClientError) -> Scenario {
        try read(try await documents.startScenario(scenario))
    }

    /// `DELETE /v1/scenarios/{name}`: removes a scenario, or all with `nil`, of a scope if one is given, and the rules that
    /// they have added; returns how many of each.
    @discardableResult
    public func removeScenario(_ name: String?, ofScope scope: String? = nil) async throws(ClientError) -> Removed {
        try read(try await documents.removeScenario(name, ofScope: scope))
    }
}

extension ControlDocuments {
    /// `GET /v1/faults`, on all pages.
    package func faults(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "faults", filters)
    }

    /// `GET /v1/faults/{id}`.
    package func fault(_ id: String) async throws(ClientError) -> JSONValue { try await get("faults", id) }

    /// `POST /v1/faults`: the rule, or a page of rules for an array.
    package func addFaults(_ rules: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "faults", body: rules)
    }

    /// `PATCH /v1/faults/{id}`.
    package func changeFault(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "faults", id, body: change)
    }

    /// `DELETE /v1/faults/{id}`.
    @discardableResult
    package func removeFault(_ id: String) async throws(ClientError) -> JSONValue { try await delete("faults", id) }

    /// `DELETE /v1/faults`.
    package func removeFaults(_ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("faults", query: filters)
    }

    /// `GET /v1/scenarios`.
    package func scenarios(ofScope scope: String? = nil) async throws(ClientError) -> [JSONValue] {
        try await list("scenarios", ofScope(scope))
    }

    /// `GET /v1/scenarios/{name}`.
    package func scenario(_ name: String, ofScope scope: String? = nil) async throws(ClientError) -> JSONValue {
        try await get("scenarios", name, query: ofScope(scope))
    }

    /// `POST /v1/scenarios`.
    package func startScenario(_ scenario: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "scenarios", body: scenario)
    }

    /// `DELETE /v1/scenarios/{name}`, or `DELETE /v1/scenarios` with `nil`.
    package func removeScenario(
        _ name: String?, ofScope scope: String? = nil
    ) async throws(ClientError) -> JSONValue {
        let query = ofScope(scope)
        return if let name {
            try await delete("scenarios", name, query: query)
        } else {
            try await delete("scenarios", query: query)
        }
    }
}
