internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import NIOCore

/// `GET /v1/devices/{id}/stream`: what arrives on a device, as server-sent events.
///
/// Only watches, unless `?connect=true`: then the device is online while somebody listens.
struct DeviceStreamRoutes {
    private static let parameters = ["connect", "lastEventId"]

    let state: ControlState

    var routes: [Route] {
        [Route(.get, "/v1/devices/{id}/stream") { [state] in try await DeviceStreamRoutes.open($0, state) }]
    }

    private static func open(_ call: Call, _ state: ControlState) async throws -> Response {
        let server = state.server
        let id = try call.pathText("id")
        var query = try call.query()
        let connects = try query.takeWord("connect", ["true", "false"]) == "true"
        let lastEventID = try lastEventID(call, &query)
        try query.finish(known: parameters)

        let watched = try await call.aboutDevices { try await server.watchDevice(id) }
        // Before the device comes online, so that what was stored for it is new.
        let inbox = try await call.aboutDevices { try await server.inbox(of: id) }
        var presence: DevicePresence?
        if connects {
            do throws(DeviceError) {
                presence = try await DevicePresence(id, server)
            } catch {
                throw Problem(error)
            }
        }
        let stream = DeviceStream(server, id, from: inbox, lastEventID: lastEventID, state.streamLimits)
        return call.stream { [presence] in
            await presence?.end()
        } run: { write in
            var stream = stream
            try await stream.run(watched, write: write)
        }
    }

    /// Where a reader left off: the parameter, for readers that cannot set header fields, or the field.
    private static func lastEventID(_ call: Call, _ query: inout QueryString) throws(Problem) -> UInt64? {
        if let number = try query.takeInteger("lastEventId", in: 0...Int64.max) { return UInt64(number) }
        guard let text = call.request.headers[ServerSentEvent.lastEventID], !text.isEmpty else { return nil }
        return try ServerSentEvent.number(text)
    }
}
