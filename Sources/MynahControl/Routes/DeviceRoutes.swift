internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices` and `/v1/fleets`: the simulated devices with their apps (`Documents#Devices`).
enum DeviceRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices", id: "listDevices", summary: "List the simulated devices",
            details: """
                A repeated filter matches any of its values; different filters must all match. By lastPush, a device \
                to which a push comes between two pages moves to the end of order=asc and to the front of order=desc.
                """,
            parameters: [
                .deviceFilters, .limit,
                .query(
                    "sort",
                    "id: by ID; lastPush: by the sequence number of the push that arrived last, and devices with the "
                        + "same or without one by ID.",
                    schema: .object(
                        (Form.choice(DeviceOrder.Key.self).openAPI().object ?? []) + [JSONMember("default", "id")])),
                .order("by ID, or the devices without a push and then the earliest last push first"),
                .query(
                    "after", "Only devices that come after this ID in the order by ID.", schema: ["type": "string"]),
                .cursor,
            ], answers: [.page(of: "Device")], handle: list),
        Route(
            .post, "/v1/devices", id: "addDevice", summary: "Create a device with its apps, or a fleet of them",
            details: """
                Without an id one is generated. With count the ids are <id>-00001 and so on, and the answer is a list; \
                for a fleet of more than 1000 devices it is the first page, and nextCursor leads to the rest in \
                GET /v1/devices.
                """,
            body: .required(DeviceSpecification.document),
            answers: [.created("The device with its tokens; or a list of devices.", "AddedDevices")],
            problems: [.conflict], handle: create),
        Route(
            .patch, "/v1/devices", id: "changeDevices",
            summary: "Change the devices that match, such as all of one user",
            details: "Without a filter all devices are changed. If one of them can't be changed so, none is.",
            parameters: [.deviceFilters], body: .required(DevicePatch.document),
            answers: [.ok("What was changed.", "Changed")]
        ) { call in
            let filter = try call.deviceSelection()
            let patch = try DevicePatch(json: call.object())
            let count = try await call.server.changeDevices(where: filter, patch)
            return .json(ChangedCounts(devices: count).json)
        },
        Route(
            .delete, "/v1/devices", id: "deleteDevices",
            summary: "Remove the devices that match; all of them without a filter", parameters: [.deviceFilters],
            answers: [.removed()]
        ) { call in
            let filter = try call.deviceSelection()
            return .removed(["devices": try await call.server.removeDevices(where: filter)])
        },
        Route(
            .get, "/v1/devices/{id}", id: "getDevice", summary: "Get one device", parameters: [.device],
            answers: [.ok("The device.", "Device")], problems: [.notFound]
        ) { .json(try await $0.server.device($0.pathText("id")).json) },
        Route(
            .put, "/v1/devices/{id}", id: "putDevice", summary: "Create a device, or replace the one with this ID",
            parameters: [.device], body: .optional(DeviceSpecification.document),
            answers: [.ok("The replaced device.", "Device"), .created("The new device.", "Device")],
            problems: [.conflict], handle: put),
        Route(
            .patch, "/v1/devices/{id}", id: "changeDevice", summary: "Change a device",
            details: "When a device comes online, its stored pushes are delivered before the call answers.",
            parameters: [.device], body: .required(DevicePatch.document), answers: [.ok("The device.", "Device")],
            problems: [.notFound]
        ) { call in
            let id = try call.pathText("id")
            let patch = try DevicePatch(json: call.object())
            return .json(try await call.server.changeDevice(id, patch).json)
        },
        Route(
            .delete, "/v1/devices/{id}", id: "deleteDevice", summary: "Remove a device",
            details: "Its waiting pushes are discarded, and its tokens become unknown.", parameters: [.device],
            answers: [.removed()], problems: [.notFound]
        ) { call in
            try await call.server.removeDevice(call.pathText("id"))
            return .removed(["devices": 1])
        },
        Route(
            .get, "/v1/fleets", id: "listFleets", summary: "List the fleets of devices",
            details: "A fleet has the devices whose IDs have the form that count gives them: its ID, -, 5 to 7 digits.",
            parameters: CallParameter.page("by ID"), answers: [.page(of: "Fleet")], problems: [.evicted]
        ) { call in
            try ListPage(await call.server.fleets(), to: call, id: \.id) { $0.json }.response(to: call)
        },
    ]

    private static func list(_ call: Call) async throws -> Response {
        var query = call.query
        let limit = try query.takeLimit()
        let order = DeviceOrder(
            by: try query.takeChoice("sort") ?? .id, isDescending: try query.takeOrder() == .descending)
        let start = try takeStart(of: &query, in: order)
        let filter = try DeviceFilter(parameters: query.rest, besides: query.declared)
        try filter.checkTokens(call.server.knownTokenByteCounts)
        // One more than the page holds, to know whether there is another page.
        let (devices, matched) = await call.server.devices(
            in: order, where: filter, after: start, limit: limit + 1)
        return ListPage(
            devices, limit: limit, matched: matched, lastSequence: call.server.journal.lastIssued,
            cursor: { DeviceCursor(key: order.key, place: $0.place).text }
        ) { $0.json }.response(to: call)
    }

    /// Takes `after` and `cursor`; of both, what comes later.
    private static func takeStart(of query: inout QueryString, in order: DeviceOrder) throws -> DevicePlace? {
        let after = try query.take("after").map { DevicePlace(id: $0) }
        guard after == nil || order.key == .id else {
            throw Problem.parameter("after", "after is for the order by ID: expected cursor with sort=lastPush")
        }
        let cursor = try query.takeCursor(DeviceCursor.init(_:))
        if let cursor, cursor.key != order.key {
            throw Problem.parameter(
                "sort", "the cursor is of another order: expected sort=\(cursor.key.rawValue)",
                allowed: [cursor.key.rawValue])
        }
        return [after, cursor?.place].compactMap(\.self).max { order.isBefore($0, $1) }
    }

    private static func create(_ call: Call) async throws -> Response {
        let specification = try specification(call.object(), call)
        let devices = try await call.server.createDevices([specification])
        guard specification.count == nil, let device = devices.first else {
            // A large fleet would be half a gigabyte in one answer, so the server returns its first page.
            let count = specification.count ?? devices.count
            var list = ListPage(
                items: devices, matched: count, lastSequence: call.server.journal.lastIssued
            ) { $0.json }
            if count > devices.count {
                list.nextCursor = devices.last.map { DeviceCursor(key: .id, place: $0.place).text }
            }
            return list.response(to: call, status: .created)
        }
        return created(device)
    }

    private static func put(_ call: Call) async throws -> Response {
        let id = try call.pathText("id")
        guard [nil, .null].contains(try call.object()["count"]) else {
            throw InputError(
                at: "/count", "count is not possible here: the path names one device; use POST /v1/devices")
        }
        let specification = try specification(call.object(withID: id), call)
        let (view, isNew) = try await call.server.putDevice(specification, id: id)
        return isNew ? created(view) : .json(view.json)
    }

    private static func specification(_ json: JSONValue, _ call: Call) throws -> DeviceSpecification {
        let settings = call.server.settings
        return try DeviceSpecification(
            json: json, tokenByteCounts: settings.rules.tokenByteCounts, environment: settings.usualEnvironment)
    }

    private static func created(_ device: DeviceView) -> Response {
        .created(device.json, at: "/v1/devices/\(PathText.encoded(device.id))")
    }
}

/// Where the next page of devices begins.
struct DeviceCursor: Equatable, Sendable {
    let key: DeviceOrder.Key
    let place: DevicePlace

    /// By ID, the ID; otherwise with the number of the last push before it.
    var text: String { IDCursor(id: key == .id ? place.id : "\(place.last) \(place.id)").text }
}

extension DeviceCursor {
    /// Reads ``text``; `nil` for any other string.
    init?(_ text: String) {
        guard let id = IDCursor(text)?.id else { return nil }
        // No ID has a space.
        let parts = id.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            self.init(key: .id, place: DevicePlace(id: id))
            return
        }
        guard parts.count == 2, let last = UInt64(parts[0]) else { return nil }
        self.init(key: .lastPush, place: DevicePlace(id: String(parts[1]), last: last))
        guard self.text == text else { return nil }
    }
}
