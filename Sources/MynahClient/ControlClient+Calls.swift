public import APNsRules

extension ControlClient {
    // MARK: Server

    /// `GET /v1/status`.
    public func status() async throws(ClientError) -> JSONValue {
        let status = try await get("status")
        guard status["version"]?.string != nil else {
            throw ClientError(.notMynah, "the status at \(url) has no version")
        }
        return status
    }

    /// `GET /v1/credentials`: the CA and the development key for the code under test.
    public func credentials() async throws(ClientError) -> ServerCredentials {
        try ServerCredentials(try await get("credentials"))
    }

    /// `POST /v1/reset`: restores the state after start, of the parts in `only` (`notifications`, `devices`, …) or of all,
    /// in one scope or everywhere; returns `{"removed": {…}}`.
    @discardableResult
    public func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> JSONValue {
        let parts = only.map { [JSONMember("only", .array($0.map { .string($0) }))] } ?? []
        let scopes = scope.map { [JSONMember("scope", .string($0))] } ?? []
        return try await send("POST", "reset", body: .object(parts + scopes))
    }

    // MARK: Pushes

    /// `GET /v1/notifications`: a page of the journal, by filters, `limit`, `order`, `after`, and `wait` with `count` to
    /// wait until that many match.
    public func notifications(_ query: [QueryItem] = []) async throws(ClientError) -> NotificationPage {
        let waits = query.contains { $0.name == "wait" }
        let timeout = waits ? waitTimeout : answerTimeout
        return try NotificationPage(try await get("notifications", query: query, timeout: timeout))
    }

    /// `GET /v1/notifications/{id}`: one push by sequence, apns-id or apns-unique-id; `nil` for an unknown one.
    public func notification(_ id: String) async throws(ClientError) -> JSONValue? {
        do { return try await get("notifications", id) } catch {
            if error.status == 404 { return nil }
            throw error
        }
    }

    /// `DELETE /v1/notifications/{id}`: removes one push by sequence, apns-id or apns-unique-id; throws
    /// ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func deleteNotification(_ id: String) async throws(ClientError) {
        _ = try await delete("notifications", id)
    }

    /// `DELETE /v1/notifications`: removes the pushes that match; all without a filter.
    @discardableResult
    public func deleteNotifications(_ query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("notifications", query: query)
    }

    /// `POST /v1/expectations`: waits for an expectation (`Documents#Expectations`) to be met:
    /// `{"match", "count", "within", "settle", "after", "scope"}`.
    public func expectation(_ expectation: JSONValue) async throws(ClientError) -> ExpectationResult {
        // The default is that of the server (`Documents#Expectations`).
        let within = expectation["within"]?.string.flatMap { DurationText.parse($0) } ?? .seconds(5)
        let settle = expectation["settle"]?.string.flatMap { DurationText.parse($0) } ?? .zero
        let timeout = within + settle + answerTimeout
        return try ExpectationResult(try await send("POST", "expectations", body: expectation, timeout: timeout))
    }

    // MARK: Devices (`Documents#Devices`)

    /// `GET /v1/devices`: all devices, by id, that match the filters of the call (`Documents#Members-of-a-device`).
    public func forEachDevice(_ filters: [QueryItem] = [], _ give: (JSONValue) throws -> Void) async throws {
        var cursor = PageCursor()
        repeat { try await nextPage(of: "devices", filters, &cursor).forEach(give) } while cursor.text != nil
    }

    /// `GET /v1/devices/{id}`: one device; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func device(_ id: String) async throws(ClientError) -> JSONValue { try await get("devices", id) }

    /// `POST /v1/devices`: adds a device and returns it with its tokens; with `count`, returns `{"items": [...]}`.
    public func addDevice(_ device: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", body: device, timeout: waitTimeout)
    }

    /// `PATCH /v1/devices/{id}`: changes members of a device (`Documents#Members-of-a-device`).
    public func changeDevice(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "devices", id, body: change)
    }

    /// `PATCH /v1/devices`: changes the devices that match the filters of ``forEachDevice(_:_:)``, all or none; returns
    /// how many, as `{"changed": {"devices": 2}}`.
    public func changeDevices(_ filters: [QueryItem], _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("PATCH", try target(["devices"], filters), body: change, timeout: waitTimeout)
    }

    /// `DELETE /v1/devices/{id}`: removes a device and its tokens.
    @discardableResult
    public func removeDevice(_ id: String) async throws(ClientError) -> JSONValue { try await delete("devices", id) }

    /// `POST /v1/devices/{id}/registrations`: installs an app, launches it, or has it register again.
    public func registerApp(on id: String, _ app: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "registrations", body: app)
    }

    /// `DELETE /v1/devices/{id}/registrations/{topic}`: uninstalls an app in `sandbox` or `production`; with `nil`, in the
    /// device's environment.
    public func uninstallApp(
        on id: String, topic: String, environment: String? = nil
    ) async throws(ClientError) -> JSONValue {
        let query = environment.map { [QueryItem("environment", $0)] } ?? []
        return try await delete("devices", id, "registrations", topic, query: query)
    }

    /// `GET /v1/devices/{id}/screen`: the screen as its user sees it.
    public func screen(of id: String) async throws(ClientError) -> JSONValue { try await get("devices", id, "screen") }

    /// `POST /v1/devices/{id}/screen/{sequence}/actions`: acts on a notification as its user, by
    /// `{"action": "default" | "dismiss" | id, "text"}`; returns what the app is told, or `null`.
    public func act(
        on id: String, sequence: Int, _ action: JSONValue
    ) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "screen", String(sequence), "actions", body: action)
    }

    /// `DELETE /v1/devices/{id}/screen`: removes the notifications that match the filters `topic` and `identifier`, all
    /// without a filter; returns `{"removed": {"notifications": …}}`.
    @discardableResult
    public func clearScreen(of id: String, _ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("devices", id, "screen", query: filters)
    }

    /// `PATCH /v1/devices/{id}/screen`: sets the number on an app's icon, 0 for none; returns the screen.
    @discardableResult
    public func setBadge(_ badge: Int, of topic: String, on id: String) async throws(ClientError) -> JSONValue {
        let badges = JSONValue.object([JSONMember(topic, .number(JSONNumber(badge)))])
        return try await send("PATCH", "devices", id, "screen", body: .object([JSONMember("badges", badges)]))
    }

    /// `GET /v1/devices/{id}/activities`: the device's Live Activities, newest first.
    public func activities(of id: String) async throws(ClientError) -> [JSONValue] {
        try await get("devices", id, "activities")["items"]?.array ?? []
    }

    /// `POST /v1/devices/{id}/activities`: starts a Live Activity, as its app does.
    public func startActivity(on id: String, _ activity: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "activities", body: activity)
    }

    /// `PATCH /v1/devices/{id}/activities/{activity}`: updates or ends a Live Activity, as its app does.
    public func changeActivity(
        _ activity: Int, of id: String, _ change: JSONValue
    ) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "devices", id, "activities", String(activity), body: change)
    }

    /// `DELETE /v1/devices/{id}/activities/{activity}`: takes a Live Activity off the screen, as its user does.
    @discardableResult
    public func dismissActivity(_ activity: Int, of id: String) async throws(ClientError) -> JSONValue {
        try await delete("devices", id, "activities", String(activity))
    }

    /// `POST /v1/activities`: starts a Live Activity on each device that matches the filters of
    /// ``forEachDevice(_:_:)``; returns `{"started": {"activities": …}, "refused": {"devices": …}, "refusals": […]}`.
    public func startActivities(
        _ filters: [QueryItem], _ activity: JSONValue
    ) async throws(ClientError) -> JSONValue {
        try await json("POST", try target(["activities"], filters), body: activity, timeout: waitTimeout)
    }

    /// `DELETE /v1/activities`: dismisses the Live Activities that match the filters `channel` and `attributesType`, of
    /// the devices that match those of ``forEachDevice(_:_:)``; returns `{"removed": {"activities": …}}`.
    @discardableResult
    public func dismissActivities(_ filters: [QueryItem]) async throws(ClientError) -> JSONValue {
        try await json("DELETE", try target(["activities"], filters), timeout: waitTimeout)
    }

    /// `GET /v1/devices/{id}/inbox`: the pushes that arrived, by filters, `kind`, `limit`, `order`, `after`, and `wait`
    /// with `count` to wait for pushes.
    public func inbox(of id: String, _ query: [QueryItem] = []) async throws(ClientError) -> NotificationPage {
        try NotificationPage(try await get("devices", id, "inbox", query: query, timeout: waitTimeout))
    }

    // MARK: Faults and scenarios (`Documents#Fault-rules`)

    /// `GET /v1/faults`: all rules, in the order in which they apply, that match the filters `fault`, `name`, `scope`,
    /// `enabled`, `event`, `action`.
    public func faults(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "faults", filters)
    }

    /// `GET /v1/faults/{id}`: one rule; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func fault(_ id: String) async throws(ClientError) -> JSONValue { try await get("faults", id) }

    /// `POST /v1/faults`: adds a rule and returns it, or all of an array and returns `{"items": [...]}`.
    public func addFaults(_ rules: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "faults", body: rules)
    }

    /// `PATCH /v1/faults/{id}`: changes a part of a rule and keeps its counters.
    public func changeFault(_ id: String, _ change: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "faults", id, body: change)
    }

    /// `DELETE /v1/faults/{id}`.
    @discardableResult
    public func removeFault(_ id: String) async throws(ClientError) -> JSONValue { try await delete("faults", id) }

    /// `DELETE /v1/faults`: removes the rules that match, all without a filter; returns `{"removed": {"faults": …}}`.
    @discardableResult
    public func removeFaults(_ filters: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await delete("faults", query: filters)
    }

    /// `GET /v1/scenarios`: the running scenarios, all or those of a scope.
    public func scenarios(ofScope scope: String? = nil) async throws(ClientError) -> [JSONValue] {
        try await list("scenarios", ofScope(scope))
    }

    /// `GET /v1/scenarios/{name}`: a running one; throws ``ClientError/Code/problem`` with status 404 for any other.
    public func scenario(_ name: String, ofScope scope: String? = nil) async throws(ClientError) -> JSONValue {
        try await get("scenarios", name, query: ofScope(scope))
    }

    /// `POST /v1/scenarios`: starts a scenario; `{"name": …}` alone starts a shipped one.
    public func startScenario(_ scenario: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "scenarios", body: scenario)
    }

    /// `DELETE /v1/scenarios/{name}`: removes a scenario, or all with `nil`, of a scope if one is given, and the rules that
    /// they have added; returns
    /// `{"removed": {"scenarios": …, "faults": …}}`.
    @discardableResult
    public func removeScenario(
        _ name: String?, ofScope scope: String? = nil
    ) async throws(ClientError) -> JSONValue {
        let query = ofScope(scope)
        return if let name {
            try await delete("scenarios", name, query: query)
        } else {
            try await delete("scenarios", query: query)
        }
    }

    // MARK: Channels (`Documents#Channels`)

    /// `GET /v1/channels`: all broadcast channels that match the filters `bundleId` and `environment`, on all pages, in
    /// the order of their creation.
    public func channels(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "channels", filters)
    }

    /// `GET /v1/channels/{id}`: one channel; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func channel(_ id: String) async throws(ClientError) -> JSONValue { try await get("channels", id) }

    /// `POST /v1/channels`: creates a channel and returns it; `channel` is `{"bundleId", "environment",
    /// "messageStoragePolicy", "id"}`, all but `bundleId` optional.
    public func createChannel(_ channel: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "channels", body: channel)
    }

    /// `DELETE /v1/channels/{id}`: deletes a channel and returns it as it was.
    @discardableResult
    public func deleteChannel(_ id: String) async throws(ClientError) -> JSONValue { try await delete("channels", id) }

    // MARK: Connections (`Documents#Connections`)

    /// `GET /v1/connections`: all open connections that match the filters `environment`, `team`, `keyId`, `connection`.
    public func connections(_ filters: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try await all(of: "connections", filters)
    }

    /// `DELETE /v1/connections/{id}`: sends GOAWAY and lets the streams finish, or with `abort` resets the connection;
    /// returns when it has closed.
    public func closeConnection(_ id: Int, abort: Bool = false) async throws(ClientError) {
        try await delete("connections", String(id), query: abort ? [QueryItem("abort", "true")] : [])
    }

    /// `GET /v1/failed-handshakes`: the latest connections whose TLS handshake failed, newest first.
    public func failedHandshakes() async throws(ClientError) -> [JSONValue] { try await list("failed-handshakes") }

    // MARK: Keys and certificates (`Documents#Keys`)

    /// `GET /ca.pem`: the CA's certificate.
    public func certificateAuthority() async throws(ClientError) -> String {
        String(decoding: try await answer("GET", "/ca.pem").body, as: UTF8.self)
    }

    /// `GET /v1/keys`: all keys, revoked ones too.
    public func keys() async throws(ClientError) -> [JSONValue] { try await list("keys") }
    /// `GET /v1/keys/{keyId}`: one key; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func key(_ keyID: String) async throws(ClientError) -> JSONValue { try await get("keys", keyID) }

    /// `POST /v1/keys`: adds a key and returns it, with `privateKey` if the server has made it; `key` is `{"keyId", "team",
    /// "publicKey" or "privateKey" or neither, "environment", "topics", "related"}`, all optional.
    public func addKey(_ key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "keys", body: key)
    }

    /// `PUT /v1/keys/{keyId}`: adds a key, or replaces its permissions.
    public func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PUT", "keys", keyID, body: key)
    }

    /// `DELETE /v1/keys/{keyId}`: revokes a key and returns it with `revokedAt`.
    @discardableResult
    public func revokeKey(_ keyID: String) async throws(ClientError) -> JSONValue { try await delete("keys", keyID) }

    /// `POST /v1/certificates`: issues a provider certificate of the server's CA; returns it with its key, the CA's
    /// certificate, and all of it as PKCS #12; `order` is
    /// `{"topics", "voip", "complication", "environment", "days", "expired", "password"}`.
    public func issueCertificate(_ order: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "certificates", body: order)
    }

    /// `DELETE /v1/certificates/{serialNumber}`: revokes a provider certificate, from its return on, and returns it with
    /// `revokedAt`.
    @discardableResult
    public func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> JSONValue {
        try await delete("certificates", serialNumber)
    }

    // MARK: Paths and lists

    private func target(_ components: [String], _ query: [QueryItem] = []) throws(ClientError) -> String {
        guard !components.contains("") else {
            throw ClientError(
                .invalidArgument, "an empty ID was given for /v1/\(components[0]): expected one that it lists")
        }
        return QueryItem.target("/v1/" + components.map(QueryItem.encoded).joined(separator: "/"), query)
    }

    private func get(
        _ components: String..., query: [QueryItem] = [], timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await json("GET", target(components, query), timeout: timeout)
    }

    @discardableResult
    private func delete(_ components: String..., query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await json("DELETE", target(components, query))
    }

    private func send(
        _ method: String, _ components: String..., body: JSONValue, timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await json(method, target(components), body: body, timeout: timeout)
    }

    private func ofScope(_ scope: String?) -> [QueryItem] { scope.map { [QueryItem("scope", $0)] } ?? [] }

    private func list(_ name: String, _ query: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try items(of: try await get(name, query: query), called: name)
    }

    /// The items of the page at a cursor (`ControlAPI#Lists-and-waiting`); throws for a list that doesn't end.
    private func nextPage(
        of name: String, _ filters: [QueryItem], _ cursor: inout PageCursor
    ) async throws(ClientError) -> [JSONValue] {
        let query = filters + [QueryItem("limit", String(PageCursor.itemsPerPage))]
        let place = cursor.text.map { [QueryItem("cursor", $0)] } ?? []
        let (page, byteCount) = try await sizedJSON("GET", try target([name], query + place))
        let items = try items(of: page, called: name)
        try cursor.advance(to: page["nextCursor"]?.string, behind: items.count, bytes: byteCount)
        return items
    }

    private func all(of name: String, _ filters: [QueryItem]) async throws(ClientError) -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor = PageCursor(bytesMax: PageCursor.keptBytesMax)
        repeat { items += try await nextPage(of: name, filters, &cursor) } while cursor.text != nil
        return items
    }

    private func items(of list: JSONValue, called name: String) throws(ClientError) -> [JSONValue] {
        guard let items = list["items"]?.array else {
            throw ClientError(.notMynah, "the list of \(name) at \(url) has no items")
        }
        return items
    }
}
