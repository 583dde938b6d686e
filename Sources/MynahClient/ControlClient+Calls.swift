public import APNsRules

// Sources/helpers/swift_package.py makes a type of each document that a call here gives.
extension ControlClient {
    // MARK: Server

    /// `GET /v1/status`: the server's version, ports, clock and counts.
    public func status() async throws(ClientError) -> Status { try read(try await documents.status()) }

    /// `GET /v1/credentials`: the CA and the development key for the code under test.
    public func credentials() async throws(ClientError) -> Credentials { try read(try await documents.credentials()) }

    /// `POST /v1/reset`: restores the state after start, of the parts in `only` (`notifications`, `devices`, …) or of all,
    /// in one scope or everywhere.
    @discardableResult
    public func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> Removed {
        try read(try await documents.reset(only: only, scope: scope))
    }

    /// `GET /v1/scopes`: the scopes in use, on all pages.
    public func scopes() async throws(ClientError) -> [ScopeUse] { try readAll(try await documents.scopes()) }

    /// `DELETE /v1/scopes/{name}`: removes everything of a scope: devices, faults, pushes, clock.
    @discardableResult
    public func removeScope(_ name: String) async throws(ClientError) -> Removed {
        try read(try await documents.removeScope(name))
    }

    // MARK: Pushes

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

    // MARK: Devices (`Documents#Devices`)

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

    // MARK: Live Activities (`Documents#Live-Activities`)

    /// `GET /v1/devices/{id}/activities`: the device's Live Activities, newest first.
    public func activities(of id: String) async throws(ClientError) -> [LiveActivity] {
        try readAll(try await documents.activities(of: id))
    }

    /// `POST /v1/devices/{id}/activities`: starts a Live Activity, as its app does.
    @discardableResult
    public func startActivity(on id: String, _ activity: JSONValue) async throws(ClientError) -> LiveActivity {
        try read(try await documents.startActivity(on: id, activity))
    }

    /// `PATCH /v1/devices/{id}/activities/{activity}`: updates or ends a Live Activity, as its app does.
    @discardableResult
    public func changeActivity(
        _ activity: Int, of id: String, _ change: JSONValue
    ) async throws(ClientError) -> LiveActivity {
        try read(try await documents.changeActivity(activity, of: id, change))
    }

    /// `DELETE /v1/devices/{id}/activities/{activity}`: takes a Live Activity off the screen, as its user does.
    @discardableResult
    public func dismissActivity(_ activity: Int, of id: String) async throws(ClientError) -> Removed {
        try read(try await documents.dismissActivity(activity, of: id))
    }

    /// `POST /v1/activities`: starts a Live Activity on each device that matches the filters of
    /// ``forEachDevice(_:_:)``; returns how many were started, and why others were not.
    @discardableResult
    public func startActivities(
        _ filters: [QueryItem], _ activity: JSONValue
    ) async throws(ClientError) -> StartedActivities {
        try read(try await documents.startActivities(filters, activity))
    }

    /// `DELETE /v1/activities`: dismisses the Live Activities that match the filters `channel` and `attributesType`, of
    /// the devices that match those of ``forEachDevice(_:_:)``.
    @discardableResult
    public func dismissActivities(_ filters: [QueryItem]) async throws(ClientError) -> Removed {
        try read(try await documents.dismissActivities(filters))
    }

    // MARK: Faults and scenarios (`Documents#Fault-rules`)

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

    // MARK: Time (`Documents#Clock`)

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

    // MARK: Channels (`Documents#Channels`)

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

    // MARK: Connections (`Documents#Connections`)

    /// `GET /v1/connections`: all open connections that match the filters `environment`, `team`, `keyId`, `connection`.
    public func connections(_ filters: [QueryItem] = []) async throws(ClientError) -> [Connection] {
        try readAll(try await documents.connections(filters))
    }

    /// `DELETE /v1/connections/{id}`: sends GOAWAY and lets the streams finish, or with `abort` resets the connection;
    /// returns when it has closed.
    public func closeConnection(_ id: Int, abort: Bool = false) async throws(ClientError) {
        try await documents.closeConnection(id, abort: abort)
    }

    /// `GET /v1/failed-handshakes`: the latest connections whose TLS handshake failed, newest first.
    public func failedHandshakes() async throws(ClientError) -> [FailedHandshake] {
        try readAll(try await documents.failedHandshakes())
    }

    // MARK: Keys and certificates (`Documents#Keys`)

    /// `GET /ca.pem`: the CA's certificate.
    public func certificateAuthority() async throws(ClientError) -> String {
        String(decoding: try await answer("GET", "/ca.pem").body, as: UTF8.self)
    }

    /// `GET /v1/keys`: all keys, revoked ones too.
    public func keys() async throws(ClientError) -> [Key] { try readAll(try await documents.keys()) }

    /// `GET /v1/keys/{keyId}`: one key; throws ``ClientError/Code/problem`` with status 404 for an unknown one.
    public func key(_ keyID: String) async throws(ClientError) -> Key { try read(try await documents.key(keyID)) }

    /// `POST /v1/keys`: adds a key and returns it, with its private key if the server has made it; `key` is `{"keyId",
    /// "team", "publicKey" or "privateKey" or neither, "environment", "topics", "related"}`, all optional.
    public func addKey(_ key: JSONValue) async throws(ClientError) -> AddedKey {
        try read(try await documents.addKey(key))
    }

    /// `PUT /v1/keys/{keyId}`: adds a key, or replaces its permissions.
    @discardableResult
    public func replaceKey(_ keyID: String, by key: JSONValue) async throws(ClientError) -> AddedKey {
        try read(try await documents.replaceKey(keyID, by: key))
    }

    /// `DELETE /v1/keys/{keyId}`: revokes a key and returns it with the time of that.
    @discardableResult
    public func revokeKey(_ keyID: String) async throws(ClientError) -> Key {
        try read(try await documents.revokeKey(keyID))
    }

    /// `POST /v1/certificates`: issues a provider certificate of the server's CA; returns it with its key, the CA's
    /// certificate, and all of it as PKCS #12; `order` is
    /// `{"topics", "voip", "complication", "environment", "days", "expired", "password"}`.
    public func issueCertificate(_ order: JSONValue) async throws(ClientError) -> IssuedCertificate {
        try read(try await documents.issueCertificate(order))
    }

    /// `DELETE /v1/certificates/{serialNumber}`: revokes a provider certificate, from its return on, and returns it with
    /// the time of that.
    @discardableResult
    public func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> Certificate {
        try read(try await documents.revokeCertificate(serialNumber))
    }

    // MARK: Reading

    private func read<Answer: ControlAnswer>(_ document: JSONValue) throws(ClientError) -> Answer {
        do { return try Answer(json: document) } catch {
            throw ClientError(error.code, "\(url) answered wrongly: \(error.message)", field: error.field)
        }
    }

    private func readAll<Answer: ControlAnswer>(_ documents: [JSONValue]) throws(ClientError) -> [Answer] {
        var answers: [Answer] = []
        for document in documents { answers.append(try read(document)) }
        return answers
    }
}
