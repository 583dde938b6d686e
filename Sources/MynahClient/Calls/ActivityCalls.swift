public import APNsRules

// Calls about Live Activities (`Documents#Live-Activities`).
extension ControlClient {
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
}

extension ControlDocuments {
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
}
