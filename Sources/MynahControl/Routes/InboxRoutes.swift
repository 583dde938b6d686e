internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/devices/{id}/inbox`: what arrived on a device, in the order of arrival.
struct InboxRoutes {
    let state: ControlState

    var routes: [Route] {
        [Route(.get, "/v1/devices/{id}/inbox") { [state] in try await InboxRoutes.list($0, state) }]
    }

    private static func list(_ call: Call, _ state: ControlState) async throws -> Response {
        let server = state.server
        let id = try call.pathText("id")
        let query = try InboxQuery(call.query())
        // Before the first look, so that nothing which arrives after it is missed.
        let watched = try await call.aboutDevices { try await server.watchDevice(id) }
        let page = try InboxPage(query, try await call.aboutDevices { try await server.inbox(of: id) })
        guard let wait = query.window.wait, page.list.matched < query.window.count else {
            return page.list.response(to: call)
        }
        let deadline = ContinuousClock.now + wait
        return try await call.whileCallerStays(state.logger) {
            var page = page
            try await DeviceWakes.with(watched, .until(deadline)) { wakes in
                for await _ in wakes {
                    page = try InboxPage(query, try await call.aboutDevices { try await server.inbox(of: id) })
                    if page.list.matched >= query.window.count { return }
                }
                try Task.checkCancellation()
                page = try InboxPage(query, try await call.aboutDevices { try await server.inbox(of: id) })
                page.list.isTimedOut = page.list.matched < query.window.count
            }
            return page.list.response(to: call)
        }
    }
}
