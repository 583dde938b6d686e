import APNsRules
import MynahClient

/// What makes a request of a vector: the client's call for it, or `json` where it has none.
enum VectorOperations {
    /// A request whose path is taken apart.
    struct Wanted {
        var ids: [String]
        var query: [QueryItem]
        var body: JSONValue

        /// The parameters but for the length of a page, which lists of the client choose by themselves.
        var filters: [QueryItem] { query.filter { $0.name != "limit" } }
        func value(of name: String) -> String? { query.first { $0.name == name }?.value }
    }

    typealias Call = @Sendable (ControlClient, Wanted) async throws -> JSONValue

    /// The calls of `ControlClient`, by method and path.
    static let calls: [String: Call] = [
        "GET /readyz": { client, _ in try await client.isReady() ? "ready" : "not ready" },
        "GET /ca.pem": { client, _ in .string(try await client.certificateAuthority()) },
        "GET /v1/status": { client, _ in try await client.status().json },
        "GET /v1/credentials": { client, _ in try await client.credentials().json },
        "POST /v1/reset": { client, wanted in
            try await client.reset(
                only: wanted.body["only"]?.array?.compactMap(\.string), scope: wanted.body["scope"]?.string
            ).json
        },
        "GET /v1/notifications": { client, wanted in try await client.notifications(wanted.query).json },
        "GET /v1/notifications/{}": { client, wanted in try await client.notification(wanted.ids[0])?.json ?? .null },
        "DELETE /v1/notifications/{}": { client, wanted in
            try await client.deleteNotification(wanted.ids[0])
            return .null
        },
        "DELETE /v1/notifications": { client, wanted in try await client.deleteNotifications(wanted.query).json },
        "POST /v1/notifications": { client, wanted in try await client.send(wanted.body).json },
        "POST /v1/expectations": { client, wanted in try await client.expectation(wanted.body).json },
        "GET /v1/devices/{}": { client, wanted in try await client.device(wanted.ids[0]).json },
        "POST /v1/devices": { client, wanted in
            wanted.body["count"] == nil
                ? try await client.addDevice(wanted.body).json : try await client.addDevices(wanted.body).json
        },
        "PATCH /v1/devices/{}": { client, wanted in try await client.changeDevice(wanted.ids[0], wanted.body).json },
        "PATCH /v1/devices": { client, wanted in try await client.changeDevices(wanted.query, wanted.body).json },
        "DELETE /v1/devices/{}": { client, wanted in try await client.removeDevice(wanted.ids[0]).json },
        "POST /v1/devices/{}/registrations": { client, wanted in
            try await client.registerApp(on: wanted.ids[0], wanted.body).json
        },
        "DELETE /v1/devices/{}/registrations/{}": { client, wanted in
            let environment = wanted.value(of: "environment")
            return try await client.uninstallApp(on: wanted.ids[0], topic: wanted.ids[1], environment: environment).json
        },
        "GET /v1/devices/{}/screen": { client, wanted in try await client.screen(of: wanted.ids[0]).json },
        "POST /v1/devices/{}/screen/{}/actions": { client, wanted in
            try await client.act(on: wanted.ids[0], sequence: Int(wanted.ids[1]) ?? 0, wanted.body)?.json ?? .null
        },
        "DELETE /v1/devices/{}/screen": { client, wanted in
            try await client.clearScreen(of: wanted.ids[0], wanted.query).json
        },
        "PATCH /v1/devices/{}/screen": { client, wanted in
            let badge = wanted.body["badges"]?.object?.first
            let number = Int(badge?.value.integer ?? -1)
            return try await client.setBadge(number, of: badge?.name ?? "", on: wanted.ids[0]).json
        },
        "GET /v1/devices/{}/activities": { client, wanted in
            .array(try await client.activities(of: wanted.ids[0]).map(\.json))
        },
        "POST /v1/devices/{}/activities": { client, wanted in
            try await client.startActivity(on: wanted.ids[0], wanted.body).json
        },
        "PATCH /v1/devices/{}/activities/{}": { client, wanted in
            try await client.changeActivity(Int(wanted.ids[1]) ?? 0, of: wanted.ids[0], wanted.body).json
        },
        "DELETE /v1/devices/{}/activities/{}": { client, wanted in
            try await client.dismissActivity(Int(wanted.ids[1]) ?? 0, of: wanted.ids[0]).json
        },
        "POST /v1/activities": { client, wanted in try await client.startActivities(wanted.query, wanted.body).json },
        "DELETE /v1/activities": { client, wanted in try await client.dismissActivities(wanted.query).json },
        "GET /v1/devices/{}/inbox": { client, wanted in
            try await client.inbox(of: wanted.ids[0], wanted.query).json
        },
        "GET /v1/events": { client, wanted in .array([try await firstEvent(client, wanted.query)]) },
        "GET /v1/faults": { client, wanted in .array(try await client.faults(wanted.filters).map(\.json)) },
        "GET /v1/faults/{}": { client, wanted in try await client.fault(wanted.ids[0]).json },
        "POST /v1/faults": { client, wanted in
            guard let rules = wanted.body.array else { return try await client.addFault(wanted.body).json }
            return try await client.addFaults(rules).json
        },
        "PATCH /v1/faults/{}": { client, wanted in try await client.changeFault(wanted.ids[0], wanted.body).json },
        "DELETE /v1/faults/{}": { client, wanted in try await client.removeFault(wanted.ids[0]).json },
        "DELETE /v1/faults": { client, wanted in try await client.removeFaults(wanted.query).json },
        "GET /v1/scenarios/{}": { client, wanted in try await client.scenario(wanted.ids[0]).json },
        "POST /v1/scenarios": { client, wanted in try await client.startScenario(wanted.body).json },
        "DELETE /v1/scenarios/{}": { client, wanted in
            try await client.removeScenario(wanted.ids[0], ofScope: wanted.value(of: "scope")).json
        },
        "DELETE /v1/scenarios": { client, wanted in
            try await client.removeScenario(nil, ofScope: wanted.value(of: "scope")).json
        },
        "GET /v1/channels": { client, wanted in .array(try await client.channels(wanted.filters).map(\.json)) },
        "GET /v1/channels/{}": { client, wanted in try await client.channel(wanted.ids[0]).json },
        "POST /v1/channels": { client, wanted in try await client.createChannel(wanted.body).json },
        "DELETE /v1/channels/{}": { client, wanted in try await client.deleteChannel(wanted.ids[0]).json },
        "DELETE /v1/scopes/{}": { client, wanted in try await client.removeScope(wanted.ids[0]).json },
        "GET /v1/clock": { client, wanted in try await client.clock(ofScope: wanted.value(of: "scope")).json },
        "PUT /v1/clock": { client, wanted in try await client.setClock(wanted.body).json },
        "POST /v1/clock/advance": { client, wanted in try await client.advanceClock(wanted.body).json },
        "DELETE /v1/connections/{}": { client, wanted in
            try await client.closeConnection(Int(wanted.ids[0]) ?? 0, abort: wanted.value(of: "abort") == "true")
            return .null
        },
        "GET /v1/keys/{}": { client, wanted in try await client.key(wanted.ids[0]).json },
        "POST /v1/keys": { client, wanted in try await client.addKey(wanted.body).json },
        "PUT /v1/keys/{}": { client, wanted in try await client.replaceKey(wanted.ids[0], by: wanted.body).json },
        "DELETE /v1/keys/{}": { client, wanted in try await client.revokeKey(wanted.ids[0]).json },
        "POST /v1/certificates": { client, wanted in try await client.issueCertificate(wanted.body).json },
        "DELETE /v1/certificates/{}": { client, wanted in try await client.revokeCertificate(wanted.ids[0]).json },
    ]

    /// Requests that `ControlClient` makes by `json` alone.
    ///
    /// In tests in Swift, the server's own types have them. A list is read to its end by the client's call, with another
    /// request than a vector's.
    static let withoutCall: Set<String> = [
        "GET /v1/", "GET /openapi.json", "GET /v1/fixtures", "GET /v1/magic-tokens", "GET /v1/scopes", "GET /v1/fleets",
        "PUT /v1/devices/{}", "PUT /v1/faults/{}", "GET /v1/devices", "DELETE /v1/devices",
        "GET /v1/devices/{}/registrations", "GET /v1/devices/{}/registrations/{}",
        "PATCH /v1/devices/{}/registrations/{}", "GET /v1/devices/{}/activities/{}",
        "DELETE /v1/devices/{}/screen/{}", "GET /v1/devices/{}/subscriptions", "POST /v1/devices/{}/subscriptions",
        "DELETE /v1/devices/{}/subscriptions/{}", "DELETE /v1/channels", "GET /v1/scenarios", "GET /v1/keys",
        "GET /v1/certificates", "GET /v1/certificates/{}",
    ]

    /// Answers that are no JSON, which only a program that isn't a test wants.
    static let texts: Set<String> = ["GET /livez", "GET /healthz", "GET /metrics"]

    /// Makes a request.
    static func perform(_ operation: String, _ wanted: Wanted, path: String, _ client: ControlClient) async throws
        -> JSONValue
    {
        // A rule is waited for by parameters, which the client's call hasn't.
        if let call = calls[operation], operation != "GET /v1/faults/{}" || wanted.query.isEmpty {
            return try await call(client, wanted)
        }
        let parts = operation.split(separator: " ")
        let body: JSONValue? = if wanted.body == .null { Optional.none } else { wanted.body }
        return try await client.json(String(parts[0]), QueryItem.target(path, wanted.query), body: body)
    }

    private struct Enough: Error { let event: JSONValue }

    private static func firstEvent(_ client: ControlClient, _ query: [QueryItem]) async throws -> JSONValue {
        do {
            try await client.events(query) { event in
                throw Enough(event: ["event": .string(event.name), "data": event.data])
            }
        } catch let enough as Enough {
            return enough.event
        }
        return .null
    }
}
