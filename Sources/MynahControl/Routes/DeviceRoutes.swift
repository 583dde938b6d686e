internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices`: the simulated devices, with their apps in one call (`Documents#Devices`).
struct DeviceRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/devices") { [state] in try await DeviceRoutes.list($0, state.server) },
            Route(.post, "/v1/devices") { [state] in try await DeviceRoutes.create($0, state.server) },
            Route(.delete, "/v1/devices") { [state] in try await DeviceRoutes.removeAll($0, state.server) },
            Route(.get, "/v1/devices/{id}") { [state] call in
                try call.checkNoQuery()
                let id = try call.pathText("id")
                return .json(try await call.aboutDevices { try await state.server.device(id) }.json)
            },
            Route(.put, "/v1/devices/{id}") { [state] in try await DeviceRoutes.put($0, state.server) },
            Route(.patch, "/v1/devices/{id}") { [state] in try await DeviceRoutes.change($0, state.server) },
            Route(.delete, "/v1/devices/{id}") { [state] call in
                try call.checkNoQuery()
                let id = try call.pathText("id")
                try await call.aboutDevices { try await state.server.removeDevice(id) }
                return .json(["removed": ["devices": 1]])
            },
        ]
    }

    private static func list(_ call: Call, _ server: Server) async throws -> Response {
        let query = try DeviceQuery(call.query())
        // One more than asked for tells whether there is another page.
        let page = await server.devices(where: query.filter, after: query.after, limit: query.limit + 1)
        let devices = page.devices.prefix(query.limit)
        var list = ListPage(items: Array(devices), matched: page.matched) { $0.json }
        if page.devices.count > query.limit, let last = devices.last {
            list.nextCursor = IDCursor(id: last.id).text
        }
        list.lastSequence = server.journal.lastIssued
        return list.response(to: call)
    }

    private static func create(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let document = try RequestDocument(call.body)
        var specification = try specification(document.members, call, server)
        if specification.id == nil { specification.id = server.freshDeviceID() }
        let made = specification
        let devices = try await call.aboutDevices { try await server.createDevices([made]) }
        guard specification.count == nil, let device = devices.first else {
            let fleet = fleet(devices, of: specification.count ?? devices.count, server)
            return fleet.response(to: call, status: .created)
        }
        return created(device)
    }

    // A million devices would be half a gigabyte in one answer, so it has the first page of a large fleet.
    private static func fleet(_ devices: [DeviceView], of count: Int, _ server: Server) -> ListPage {
        var list = ListPage(items: devices, matched: count) { $0.json }
        if count > devices.count, let last = devices.last { list.nextCursor = IDCursor(id: last.id).text }
        list.lastSequence = server.journal.lastIssued
        return list
    }

    private static func put(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let id = try call.pathText("id")
        let document = try RequestDocument(call.body, mayBeEmpty: true)
        guard document["count"] == nil else {
            throw Problem(
                .invalidField, "count makes several devices, and the path names one; POST /v1/devices takes it",
                field: "/count")
        }
        if let given = document["id"], given.string != id {
            throw Problem(
                .invalidField, "id is \(given.encodedText), and the path says \(id); leave it out", field: "/id",
                allowed: [id])
        }
        // With the path's id, so that a malformed one is refused as it is in a body.
        let others = document.members.filter { $0.name != "id" }
        let specification = try specification([JSONMember("id", .string(id))] + others, call, server)
        let (view, isNew) = try await call.aboutDevices { try await server.putDevice(specification, id: id) }
        return isNew ? created(view) : .json(view.json)
    }

    private static func change(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let id = try call.pathText("id")
        let document = try RequestDocument(call.body)
        let patch = try call.reading { try DevicePatch(json: .object(document.members)) }
        return .json(try await call.aboutDevices { try await server.changeDevice(id, patch) }.json)
    }

    private static func removeAll(_ call: Call, _ server: Server) async throws -> Response {
        let filter = try DeviceQuery.filter(call.query().rest)
        let removed = await server.removeDevices(where: filter)
        return .json(["removed": ["devices": .number(JSONNumber(removed))]])
    }

    private static func specification(
        _ members: [JSONMember], _ call: Call, _ server: Server
    ) throws -> DeviceSpecification {
        try call.reading {
            try DeviceSpecification(
                json: .object(members), tokenByteCounts: server.settings.rules.tokenByteCounts)
        }
    }

    private static func created(_ device: DeviceView) -> Response {
        var response = Response.json(device.json, status: .created)
        response.headers[.location] = "/v1/devices/\(PathText.encoded(device.id))"
        return response
    }
}
