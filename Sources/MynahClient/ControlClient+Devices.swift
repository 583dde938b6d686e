public import APNsRules

/// The simulated devices of a server (`Documents#Devices`).
extension ControlClient {
    /// `GET /v1/devices`: all devices that match the filters, by id.
    ///
    /// - Parameter filters: `device`, `scope`, `topic`, `token`, `environment`, `platform`, `power`, `online`.
    public func forEachDevice(
        _ filters: [QueryItem] = [], _ give: (JSONValue) throws -> Void
    ) async throws {
        var pages = ListPages(client: self, path: "/v1/devices", filters: filters, name: "devices")
        while let items = try await pages.next() {
            for item in items { try give(item) }
        }
    }

    /// `GET /v1/devices/{id}`: one device; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func device(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofDevice: id))
    }

    /// `POST /v1/devices`: adds a device, or `count` of them.
    ///
    /// - Returns: the device, or `{"items": [...]}`, tokens included.
    public func addDevice(_ device: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/devices", body: device, timeout: ControlClient.waitTimeout)
    }

    /// `PATCH /v1/devices/{id}`: changes `name`, `locale`, `online`, `power`, `focus`, `osVersion`.
    public func changeDevice(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("PATCH", ControlClient.target(ofDevice: id), body: change)
    }

    /// `DELETE /v1/devices/{id}`: removes a device and its tokens.
    @discardableResult
    public func removeDevice(_ id: String) async throws(ClientError) -> JSONValue {
        try await json("DELETE", ControlClient.target(ofDevice: id))
    }

    /// `POST /v1/devices/{id}/registrations`: installs an app, launches it, or has it register again.
    public func registerApp(on id: String, _ app: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", ControlClient.target(ofDevice: id, "registrations"), body: app)
    }

    /// `DELETE /v1/devices/{id}/registrations/{topic}`: uninstalls an app.
    ///
    /// - Parameter environment: `sandbox` or `production`; with `nil` the device's.
    public func uninstallApp(
        on id: String, topic: String, environment: String? = nil
    ) async throws(ClientError) -> JSONValue {
        let query = environment.map { [QueryItem("environment", $0)] } ?? []
        return try await json(
            "DELETE", QueryItem.target(ControlClient.target(ofDevice: id, "registrations", topic), query))
    }

    /// `GET /v1/devices/{id}/screen`: the screen as its user sees it.
    public func screen(of id: String) async throws(ClientError) -> JSONValue {
        try await json("GET", ControlClient.target(ofDevice: id, "screen"))
    }

    /// `GET /v1/devices/{id}/inbox`: the pushes that arrived.
    ///
    /// - Parameter query: filters, `kind`, `limit`, `order`, `after`, and `wait` with `count` to wait for pushes.
    public func inbox(of id: String, _ query: [QueryItem] = []) async throws(ClientError) -> NotificationPage {
        try NotificationPage(
            try await json(
                "GET", QueryItem.target(ControlClient.target(ofDevice: id, "inbox"), query),
                timeout: ControlClient.waitTimeout))
    }

    private static func target(ofDevice id: String, _ further: String...) -> String {
        "/v1/devices/" + ([id] + further).map { QueryItem.encoded($0) }.joined(separator: "/")
    }
}
