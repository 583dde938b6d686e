package import APNsRules

/// The calls of ``ControlClient`` with their answers as the server wrote them.
///
/// The commands print these: they work with servers of other versions, whose answers have other members.
package struct ControlDocuments: Sendable {
    let client: ControlClient

    init(_ client: ControlClient) { self.client = client }
}

extension ControlClient {
    /// The same calls with their answers as JSON.
    package var documents: ControlDocuments { ControlDocuments(self) }
}

extension ControlDocuments {
    // MARK: Server

    /// `GET /v1/status`.
    package func status() async throws(ClientError) -> JSONValue {
        let status = try await get("status")
        guard status["version"]?.string != nil else {
            throw ClientError(.notMynah, "the status at \(client.url) has no version")
        }
        return status
    }

    /// `GET /v1/credentials`.
    func credentials() async throws(ClientError) -> JSONValue { try await get("credentials") }

    /// `POST /v1/reset`.
    package func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> JSONValue {
        let parts = only.map { [JSONMember("only", .array($0.map { .string($0) }))] } ?? []
        let scopes = scope.map { [JSONMember("scope", .string($0))] } ?? []
        return try await send("POST", "reset", body: .object(parts + scopes))
    }

    /// `GET /v1/scopes`, on all pages.
    func scopes() async throws(ClientError) -> [JSONValue] { try await all(of: "scopes", []) }

    /// `DELETE /v1/scopes/{name}`.
    func removeScope(_ name: String) async throws(ClientError) -> JSONValue { try await delete("scopes", name) }

    // MARK: Pushes

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

    // MARK: Devices

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

    // MARK: Live Activities

    /// `GET /v1/devices/{id}/activities`.
    package func activities(of id: String) async throws(ClientError) -> [JSONValue] {
        try items(of: try await get("devices", id, "activities"), called: "activities")
    }

    /// `POST /v1/devices/{id}/activities`.
    package func startActivity(on id: String, _ activity: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "devices", id, "activities", body: activity)
    }

    /// `PATCH /v1/devices/{id}/activities/{activity}`.
    package func changeActivity(
        _ activity: Int, of id: String, _ change: JSONValue
    ) async throws(ClientError) -> JSONValue {
        try await send("PATCH", "devices", id, "activities", String(activity), body: change)
    }

    /// `DELETE /v1/devices/{id}/activities/{activity}`.
    package func dismissActivity(_ activity: Int, of id: String) async throws(ClientError) -> JSONValue {
        try await delete("devices", id, "activities", String(activity))
    }

    /// `POST /v1/activities`.
    package func startActivities(
        _ filters: [QueryItem], _ activity: JSONValue
    ) async throws(ClientError) -> JSONValue {
        try await client.json("POST", try target(["activities"], filters), body: activity, timeout: client.waitTimeout)
    }

    /// `DELETE /v1/activities`.
    package func dismissActivities(_ filters: [QueryItem]) async throws(ClientError) -> JSONValue {
        try await client.json("DELETE", try target(["activities"], filters), timeout: client.waitTimeout)
    }

    // MARK: Faults and scenarios

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

    // MARK: Time

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

    // MARK: Channels

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

    // MARK: Connections

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

    // MARK: Keys and certificates

    /// `GET /v1/keys`.
    package func keys() async throws(ClientError) -> [JSONValue] { try await list("keys") }

    /// `GET /v1/keys/{keyId}`.
    package func key(_ keyID: String) async throws(ClientError) -> JSONValue { try await get("keys", keyID) }

    /// `POST /v1/keys`.
    package func addKey(_ key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "keys", body: key)
    }

    /// `PUT /v1/keys/{keyId}`.
    package func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("PUT", "keys", keyID, body: key)
    }

    /// `DELETE /v1/keys/{keyId}`.
    package func revokeKey(_ keyID: String) async throws(ClientError) -> JSONValue { try await delete("keys", keyID) }

    /// `POST /v1/certificates`.
    package func issueCertificate(_ order: JSONValue) async throws(ClientError) -> JSONValue {
        try await send("POST", "certificates", body: order)
    }

    /// `DELETE /v1/certificates/{serialNumber}`.
    package func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> JSONValue {
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
        try await client.json("GET", target(components, query), timeout: timeout)
    }

    @discardableResult
    private func delete(_ components: String..., query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await client.json("DELETE", target(components, query))
    }

    private func send(
        _ method: String, _ components: String..., body: JSONValue, timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await client.json(method, target(components), body: body, timeout: timeout)
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
        let (page, byteCount) = try await client.sizedJSON("GET", try target([name], query + place))
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

    /// The items of a page; throws for a document without any, named as a list of `name`.
    package func items(of page: JSONValue, called name: String) throws(ClientError) -> [JSONValue] {
        guard let items = page["items"]?.array else {
            throw ClientError(.notMynah, "the list of \(name) at \(client.url) has no items")
        }
        return items
    }
}
