public import APNsRules

// Calls about devices (`Documents#Devices`).
extension ControlClient {
    /// `GET /v1/devices`: all devices, by id, that match the filters of the call (`Documents#Members-of-a-device`).
    public func forEachDevice(_ filters: [QueryItem] = [], _ give: (Device) throws -> Void) async throws {
        try await documents.forEachDevice(filters) { try give(try read($0)) }
    }

    /// `GET /v1/devices/{id}`: one device; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func device(_ id: String) async throws(ClientError) -> Device { try read(try await documents.device(id)) }

    /// `POST /v1/devices`: adds a device and returns it with its tokens.
    public func addDevice(_ device: JSONValue) async throws(ClientError) -> Device {
        try read(try await documents.addDevice(device))
    }

    /// `POST /v1/devices`: adds as many devices that are alike as `count` in the document says, with numbers behind its
    /// `id`; returns the first 1,000.
    public func addDevices(_ fleet: JSONValue) async throws(ClientError) -> DevicePage {
        try read(try await documents.addDevice(fleet))
    }

    /// `PATCH /v1/devices/{id}`: changes members of a device (`Documents#Members-of-a-device`).
    @discardableResult
    public func changeDevice(_ id: String, _ change: JSONValue) async throws(ClientError) -> Device {
        try read(try await documents.changeDevice(id, change))
    }

    /// `PATCH /v1/devices`: changes the devices that match the filters of ``forEachDevice(_:_:)``, all or none; returns
    /// how many.
    @discardableResult
    public func changeDevices(_ filters: [QueryItem], _ change: JSONValue) async throws(ClientError) -> Changed {
        try read(try await documents.changeDevices(filters, change))
    }

    /// `DELETE /v1/devices/{id}`: removes a device and its tokens.
    @discardableResult
    public func removeDevice(_ id: String) async throws(ClientError) -> Removed {
        try read(try await documents.removeDevice(id))
    }

    /// `POST /v1/devices/{id}/registrations`: installs an app, launches it, or has it register again.
    @discardableResult
    public func registerApp(on id: String, _ app: JSONValue) async throws(ClientError) -> Registration {
        try read(try await documents.registerApp(on: id, app))
    }

    /// `DELETE /v1/devices/{id}/registrations/{topic}`: uninstalls an app in `sandbox` or `production`; with `nil`, in the
    /// device's environment.
    @discardableResult
    public func uninstallApp(
        on id: String, topic: String, environment: String? = nil
    ) async throws(ClientError) -> Registration {
        try read(try await documents.uninstallApp(on: id, topic: topic, environment: environment))
    }

    /// `GET /v1/devices/{id}/screen`: the screen as its user sees it.
    public func screen(of id: String) async throws(ClientError) -> Screen {
        try read(try await documents.screen(of: id))
    }

    /// `POST /v1/devices/{id}/screen/{sequence}/actions`: acts on a notification as its user, by
    /// `{"action": "default" | "dismiss" | id, "text"}`; returns what the app is told, `nil` if it isn't.
    @discardableResult
    public func act(on id: String, sequence: Int, _ action: JSONValue) async throws(ClientError) -> AppResponse? {
        let told = try await documents.act(on: id, sequence: sequence, action)
        return told == .null ? nil : try read(told)
    }

    /// `DELETE /v1/devices/{id}/screen`: removes the notifications that match the filters `topic` and `identifier`, all
    /// without a filter.
    @discardableResult
    public func clearScreen(of id: String, _ filters: [QueryItem] = []) async throws(ClientError) -> Removed {
        try read(try await documents.clearScreen(of: id, filters))
    }

    /// `PATCH /v1/devices/{id}/screen`: sets the number on an app's icon, 0 for none; returns the screen.
    @discardableResult
    public func setBadge(_ badge: Int, of topic: String, on id: String) async throws(ClientError) -> Screen {
        try read(try await documents.setBadge(badge, of: topic, on: id))
    }

    /// `GET /v1/devices/{id}/inbox`: the pushes that arrived, by filters, `kind`, `limit`, `order`, `after`, and `wait`
    /// with `count` to wait for pushes.
    public func inbox(of id: String, _ query: [QueryItem] = []) async throws(ClientError) -> InboxPage {
        try read(try await documents.inbox(of: id, query))
    }
}

extension ControlDocuments {
    /// `GET /v1/devices`, page by page.
    package func forEachDevice(_ filters: [QueryItem] = [], _ give: (JSONValue) throws -> Void) async throws {
        var cursor = PageCursor()
        repeat { try await nextPage(of: "devices", filters, &cursor).forEach(give) } while cursor.text != nil
    }

    /// `GET /v1/devices/{id}`.
    package func device(_ id: String) async throws(ClientError) -> JSONValue { try await get("devices", id) }

    /// `POST /v1/devices`: the device, or with `count` a page of devices.
    package func addDevice(_ device: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", body: device, timeout: client.waitTimeout)
    }

    /// `PATCH /v1/devices/{id}`.
    package func changeDevice(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "devices", id, body: change)
    }

    /// `PATCH /v1/devices`.
    package func changeDevices(_ filters: [QueryItem], _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await client.json("PATCH", try target(["devices"], filters), body: change, timeout: client.waitTimeout)
    }

    /// `DELETE /v1/devices/{id}`.
    package func removeDevice(_ id: String) async throws(ClientError) -> JSONValue { try await delete("devices", id) }

    /// `POST /v1/devices/{id}/registrations`.
    package func registerApp(on id: String, _ app: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "registrations", body: app)
    }

    /// `DELETE /v1/devices/{id}/registrations/{topic}`.
    package func uninstallApp(
        on id: String, topic: String, environment: String? = nil
    ) async throws(ClientError) -> JSONValue {
        let query = environment.map { [QueryItem("environment", $0)] } ?? []
        return try await delete("devices", id, "registrations", topic, query: query)
    }

    /// `GET /v1/devices/{id}/screen`.
    package func screen(of id: String) async throws(ClientError) -> JSONValue { try await get("devices", id, "screen") }

    /// `POST /v1/devices/{id}/screen/{sequence}/actions`.
    package func act(on id: String, sequence: Int, _ action: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "screen", String(sequence), "actions", body: action)
    }

    /// `DELETE /v1/devices/{id}/screen`.
    package func clearScreen(of id: String, _ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("devices", id, "screen", query: filters)
    }

    /// `PATCH /v1/devices/{id}/screen`.
    package func setBadge(_ badge: Int, of topic: String, on id: String) async throws(ClientError) -> JSONValue {
        let badges = JSONValue.object([JSONMember(topic, .number(JSONNumber(badge)))])
        return try await send("PATCH", "devices", id, "screen", body: .object([JSONMember("badges", badges)]))
    }

    /// `GET /v1/devices/{id}/inbox`: one page.
    package func inbox(of id: String, _ query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await get("devices", id, "inbox", query: query, timeout: client.waitTimeout)
    }
}
