internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices`: the simulated devices with their apps (`Documents#Devices`).
enum DeviceRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices", id: "listDevices", summary: "List the simulated devices",
            details: "A repeated filter matches any of its values; different filters must all match.",
            parameters: [
                .deviceFilters, .limit, .order("by ID"),
                .query("after", "Only devices that come after this ID in the order.", schema: ["type": "string"]),
                .cursor,
            ], answers: [.page(of: "Device")], handle: list),
        Route(
            .post, "/v1/devices", id: "addDevice", summary: "Create a device with its apps, or a fleet of them",
            details: """
                Without an id one is generated. With count the ids are <id>-00001 and so on, and the answer is a list; \
                for a fleet of more than 1000 devices it is the first page, and nextCursor leads to the rest in \
                GET /v1/devices.
                """,
            body: .required("NewDevice"),
            answers: [.created("The device with its tokens; or a list of devices.", "AddedDevices")],
            problems: [.conflict], handle: create),
        Route(
            .patch, "/v1/devices", id: "changeDevices",
            summary: "Change the devices that match, such as all of one user",
            details: "Without a filter all devices are changed. If one of them can't be changed so, none is.",
            parameters: [.deviceFilters], body: .required("DeviceChange"),
            answers: [.ok("What was changed.", "Changed")]
        ) { call in
            let filter = try DeviceFilter(parameters: call.query.rest, besides: [])
            let patch = try DevicePatch(json: call.object())
            return .json(["changed": ["devices": .whole(try await call.server.changeDevices(where: filter, patch))]])
        },
        Route(
            .delete, "/v1/devices", id: "deleteDevices",
            summary: "Remove the devices that match; all of them without a filter", parameters: [.deviceFilters],
            answers: [.removed()]
        ) { call in
            let filter = try DeviceFilter(parameters: call.query.rest, besides: [])
            return .removed(["devices": await call.server.removeDevices(where: filter)])
        },
        Route(
            .get, "/v1/devices/{id}", id: "getDevice", summary: "Get one device", parameters: [.device],
            answers: [.ok("The device.", "Device")], problems: [.notFound]
        ) { .json(try await $0.server.device($0.pathText("id")).json) },
        Route(
            .put, "/v1/devices/{id}", id: "putDevice", summary: "Create a device, or replace the one with this ID",
            parameters: [.device], body: .optional("NewDevice"),
            answers: [.ok("The replaced device.", "Device"), .created("The new device.", "Device")],
            problems: [.conflict], handle: put),
        Route(
            .patch, "/v1/devices/{id}", id: "changeDevice", summary: "Change a device",
            details: "When a device comes online, its stored pushes are delivered before the call answers.",
            parameters: [.device], body: .required("DeviceChange"), answers: [.ok("The device.", "Device")],
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
    ]

    private static func list(_ call: Call) async throws -> Response {
        var query = call.query
        let limit = try query.takeLimit()
        let isDescending = try query.takeOrder() == .descending
        let places = try [query.take("after"), query.takeCursor(IDCursor.init(_:))?.id].compactMap(\.self)
        let after = isDescending ? places.min() : places.max()
        let filter = try DeviceFilter(parameters: query.rest, besides: query.declared)
        // One more than the page holds, to know whether there is another page.
        let (devices, matched) = await call.server.devices(
            where: filter, after: after, isDescending: isDescending, limit: limit + 1)
        return ListPage(
            devices, limit: limit, matched: matched, lastSequence: call.server.journal.lastIssued,
            cursor: { IDCursor(id: $0.id).text }
        ) { $0.json }.response(to: call)
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
            if count > devices.count { list.nextCursor = devices.last.map { IDCursor(id: $0.id).text } }
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
        try DeviceSpecification(json: json, tokenByteCounts: call.server.settings.rules.tokenByteCounts)
    }

    private static func created(_ device: DeviceView) -> Response {
        .created(device.json, at: "/v1/devices/\(PathText.encoded(device.id))")
    }
}
