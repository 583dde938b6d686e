internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/devices/{id}/stream`: what arrives on a device, as server-sent events.
enum DeviceStreamRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices/{id}/stream", "streamDevice", "Stream what arrives on a device as server-sent events",
            details: """
                Events: notification, whose data is an item of the inbox and whose id is its sequence number; gap \
                {from, to, count}, when up to count arrivals between two numbers are lost. A comment is sent at the \
                beginning and every 15 s. Without connect the stream only watches; with connect=true the device is \
                online while the stream is open, and pushes stored for it arrive first. A reader that takes nothing \
                for 10 s is disconnected. The stream ends when the device is removed or the server shuts down.
                """,
            parameters: [
                .device, .flag("connect", "Whether the device is online while the stream is open."),
                .integer("lastEventId", "The same as Last-Event-ID, for readers that can't set it.", min: 0),
                .header(
                    "Last-Event-ID", "The ID of the last event that the reader has; 0 for everything in the inbox.",
                    ["type": "integer", "minimum": 0]),
            ], answers: [.text("The events.", [ServerSentEvent.contentType])], problems: [.notFound], open)
    ]

    private static func open(_ call: Call) async throws -> Response {
        let server = call.server
        let id = try call.pathText("id")
        var query = call.query
        let connects = try query.takeFlag("connect")
        let lastEventID = try lastEventID(call, &query)

        let watched = try await server.watchDevice(id)
        // Read before the device comes online, so that its stored pushes count as new.
        let inbox = try await server.inbox(of: id)
        let presence = connects ? try await DevicePresence(id, server) : nil
        let stream = DeviceStream(server, id, from: inbox, lastEventID: lastEventID, call.state.streamLimits)
        return call.stream {
            await presence?.end()
        } run: { write in
            var stream = stream
            try await stream.run(watched, write: write)
        }
    }

    private static func lastEventID(_ call: Call, _ query: inout QueryString) throws(Problem) -> UInt64? {
        if let number = try query.takeInteger("lastEventId", in: 0...Int64.max) { return UInt64(number) }
        guard let text = call.request.headers[ServerSentEvent.lastEventID], !text.isEmpty else { return nil }
        return try ServerSentEvent.number(text)
    }
}
