internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/devices/{id}/inbox`: what arrived on a device, in the order of arrival.
enum InboxRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices/{id}/inbox", "listInbox", "List what arrived on a device in the order of arrival",
            details: """
                Filters as in /v1/notifications, and kind. With wait and count the answer is held until that many \
                items match; when the time runs out first, the answer is 200 with timedOut true. A stored push \
                arrives after younger ones that were not stored, so after follows the order of arrival.
                """,
            parameters: [
                .device, .filters, .filterLine,
                .repeated("kind", "The kind of arrival; repeat it for any of several.", .reference("InboxKind")),
                .limit,
                .order, .integer("after", "Only what arrived after the push with this sequence number.", min: 0),
                .cursor, .wait, .count,
            ],
            answers: [
                .ok(
                    "A page. lastSequence is the push that arrived last.", .reference("InboxPage"), lines: "Arrival")
            ], problems: [.notFound, .evicted], list)
    ]

    private static func list(_ call: Call) async throws -> Response {
        let id = try call.pathText("id")
        let query = try InboxQuery(call.query)
        // Watched before the first look, so that nothing that arrives after it is missed.
        let watched = try await call.server.watchDevice(id)
        let page = try InboxPage(query, await call.server.inbox(of: id))
        guard let wait = query.window.wait, page.list.matched < query.window.count else {
            return page.list.response(to: call)
        }
        let deadline = ContinuousClock.now + wait
        return try await call.whileCallerStays {
            var page = page
            try await DeviceUpdates.with(watched, .until(deadline)) { updates in
                for await _ in updates {
                    page = try InboxPage(query, await call.server.inbox(of: id))
                    if page.list.matched >= query.window.count { return }
                }
                try Task.checkCancellation()
                page = try InboxPage(query, await call.server.inbox(of: id))
                page.list.isTimedOut = page.list.matched < query.window.count
            }
            return page.list.response(to: call)
        }
    }
}
