internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/devices/{id}/inbox` and `stream`: past and new arrivals on a device, in the order of arrival.
enum InboxRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/devices/{id}/inbox", id: "listInbox",
            summary: "List what arrived on a device in the order of arrival",
            details: """
                Filters as in /v1/notifications, and kind. With wait and count the answer is held until that many \
                items match; when the time runs out first, the answer is 200 with timedOut true. A stored push \
                arrives after younger ones that were not stored, so after follows the order of arrival.
                """,
            parameters: [
                .device, .filters, .filterLine,
                .repeated(
                    "kind", "The kind of arrival.",
                    urlForm: "; repeat it for any of several, or use !kind to exclude one.",
                    each: .reference("InboxKind"), form: .choice(PushKind.self)),
                .limit, .order(),
                .integer("after", "Only what arrived after the push with this sequence number.", min: 0), .cursor,
                .wait, .count,
            ],
            answers: [.ok("A page. lastSequence is the push that arrived last.", "InboxPage", lines: "Arrival")],
            problems: [.notFound, .evicted], handle: list),
        Route(
            .get, "/v1/devices/{id}/stream", id: "streamDevice",
            summary: "Stream what arrives on a device as server-sent events",
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
                    schema: ["type": "integer", "minimum": 0]),
            ], answers: [.text("The events.", [ServerSentEvent.contentType])], problems: [.conflict, .notFound],
            handle: open),
    ]

    private static func list(_ call: Call) async throws -> Response {
        let id = try call.pathText("id")
        let query = try InboxQuery(call.query)
        try call.checkTokens(query.filter)
        // A token may stand for the ID of its device.
        if DeviceToken(id, byteCounts: DeviceToken.anyByteCounts) == nil {
            try query.filter.checkDevice(id, at: "device")
        }
        try call.server.checkIssued(query.after, at: "after")
        // Watched before the first look, so that no later arrival is missed.
        let watched = try await call.server.watchDevice(id)
        let first = try query.page(of: await call.server.inbox(of: id))
        return try await first.response(to: call, query.window) { deadline in
            try await DeviceUpdates.with(watched, timer: .until(deadline)) { updates in
                for await _ in updates {
                    let page = try query.page(of: await call.server.inbox(of: id))
                    if query.window.isContent(with: page.matched) { return page }
                }
                try Task.checkCancellation()
                var page = try query.page(of: await call.server.inbox(of: id))
                page.isTimedOut = !query.window.isContent(with: page.matched)
                return page
            }
        }
    }

    private static func open(_ call: Call) async throws -> Response {
        let server = call.server
        let id = try call.pathText("id")
        var query = call.query
        let connects = try query.takeFlag("connect")
        let lastEventID = try lastEventID(call, &query)
        let watched = try await server.watchDevice(id)
        // Read before the device comes online, so that its stored pushes count as new.
        let inbox = try await server.inbox(of: id)
        let presence = connects && call.request.method == .get ? try await DevicePresence(id, server) : nil
        let stream = DeviceStream(
            server, of: id, from: inbox, lastEventID: lastEventID, limits: call.state.streamLimits)
        return call.stream(end: { presence?.end() }) { write in
            var stream = stream
            try await stream.run(watched, write: write)
        }
    }

    private static func lastEventID(_ call: Call, _ query: inout QueryString) throws(Problem) -> UInt64? {
        if let number = try query.takeAfter("lastEventId") { return number }
        guard let text = call.request.headers[.lastEventID], !text.isEmpty else { return nil }
        return try ServerSentEvent.number(text)
    }
}

/// The parameters of `GET /v1/devices/{id}/inbox`, and the page of the inbox that they ask for.
struct InboxQuery: Sendable {
    let filter: Filter
    // The kinds of arrivals; `nil` for all.
    private let kinds: Set<PushKind>?
    /// The page, by the number of the arrival, and what to wait for.
    let window: ListWindow
    // Only what arrived after the push with this number; 0 for everything.
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = try query.takeAfter() ?? 0
        let left = try query.takeKinds("kind", among: PushKind.allCases, of: "push")
        kinds = left.count == PushKind.allCases.count ? nil : left
        filter = try Filter(parameters: query.rest, besides: query.declared + ["!kind"], of: .arrivals)
    }

    /// - Throws: ``Problem`` when the cursor points to arrivals that were dropped.
    func page(of inbox: DeviceInbox) throws(Problem) -> ListPage {
        if let cursor = window.cursor, cursor.isEvicted(through: inbox.dropped) {
            throw Problem(
                .evicted, "the cursor points to dropped arrivals, the first \(inbox.dropped): start again without it",
                field: "cursor")
        }
        let arrivals = arrivals(in: inbox)
        var found = arrivals.filter(holds)
        if window.order == .descending { found.reverse() }
        // The last arrival's number need not be the greatest: `after` follows the order of arrival.
        var page = ListPage(
            found.filter { window.isAfterCursor($0.ordinal) }, limit: window.limit, matched: found.count,
            lastSequence: inbox.items.last?.sequence ?? 0, cursor: { window.cursor(after: $0.ordinal) }
        ) { $0.json }
        page.evicted = inbox.dropped + UInt64(arrivals.count { $0.view == nil })
        return page
    }

    private func arrivals(in inbox: DeviceInbox) -> [Arrival] {
        guard after > 0 else { return inbox.arrivals }
        if let place = inbox.place(after: after) { return Array(inbox.arrivals[place...]) }
        // Not in the inbox, or no longer: list what was sent later.
        return inbox.arrivals.filter { $0.sequence > after }
    }

    /// Whether an arrival passes the filters; a push that is no longer in the journal passes none.
    private func holds(_ arrival: Arrival) -> Bool {
        guard kinds != nil || !filter.isEmpty else { return true }
        guard let view = arrival.view else { return false }
        if let kinds, !(arrival.kind.map(kinds.contains) ?? false) { return false }
        return filter.matches(view)
    }
}
