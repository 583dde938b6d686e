internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/events`: everything that happens, as server-sent events, filtered and resumable.
enum EventRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/events", id: "streamEvents", summary: "Stream everything that happens as server-sent events",
            details: """
                Each event has a kind in its event: line, a number from the same sequence as pushes in its id: line, \
                and one JSON object in its data: line.

                notification: a push, as /v1/notifications shows it at that time. outcome: a push whose outcome \
                changed after its answer. device, channel, fault, connection: the object as its own call answers it, \
                with change; a fault without its words; of a channel only that it was created or removed; a closed \
                connection also has reason, a sentence if the server closed it because something went wrong and null \
                otherwise; a failed TLS handshake is as in /v1/failed-handshakes, with change failed. activity: a \
                Live Activity that became stale, ended or was dismissed because of the time alone, as \
                ActivityEvent. clock, reset: ClockEvent and ResetEvent. gap: events between two numbers, both \
                included, were evicted before this reader received them; it is sent whatever the filters are.

                Not reported: devices that a push to an unknown token creates, and of a fleet, or of the rules of one \
                call, those after the first 1000. When one call removes all rules, devices or channels, or any number of \
                pushes, that is one reset event; removed pushes and their outcomes are not reported any more. Firings \
                of a fault within 100 ms of a reported one become one event, with the counters at that time.

                A comment is sent at the beginning and every 15 s, with the ID up to which everything was sent: given \
                back as Last-Event-ID, it resumes the stream without loss or duplicates. An ID that this server has \
                not yet issued belongs to an earlier server: the stream then begins with everything that is kept. \
                At thousands of pushes a second, readers lag; a reader that takes nothing for 10 s is disconnected.

                Filters: on notification and outcome as in /v1/notifications. Of the others, device and activity have \
                scope, device, topic, token and environment, and activity has channel as well; channel has channel, \
                topic and environment; fault has scope and fault; connection has connection, environment, team and \
                keyId; clock and reset have scope; all have since and until. A condition on something that an event \
                doesn't have is not met, and its negation is.
                """,
            parameters: [
                .filters, .filterLine,
                .repeated(
                    "event", "The kind of event.",
                    urlForm: "; repeat it for any of several, or use !event to exclude one.",
                    each: Form.choice(EventQuery.kinds.map(\.rawValue)).openAPI()),
                .integer(
                    "after", "Events after this number, instead of new events only.",
                    urlForm: """
                        . Last-Event-ID takes precedence; with an ID that this server has not given out, all events \
                        come.
                        """, min: 0),
                .header(
                    "Last-Event-ID", "The ID of the last event received.", schema: ["type": "integer", "minimum": 0]),
            ],
            answers: [
                .text("The events, until the reader leaves or the server stops.", [ServerSentEvent.contentType])
            ], handle: open)
    ]

    private static func open(_ call: Call) async throws -> Response {
        let state = call.state
        let lastEventID = call.request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        let query = try EventQuery(call.query, lastEventID: lastEventID)
        try call.checkTokens(query.filter)
        if let after = query.after { try call.server.checkIssued(after, at: "after") }
        let last = await state.server.journal.settled()
        // An ID that this server has not issued yet is from an earlier one: everything is new to the reader.
        let position = query.lastEventID.map { $0 > last ? 0 : $0 } ?? query.after ?? last
        return call.stream { write in
            state.eventReaders.enter()
            defer { state.eventReaders.leave() }
            var stream = EventStream(
                state.server, kinds: query.kinds, filter: query.filter, after: position, limits: state.streamLimits,
                readers: state.eventReaders, issued: last)
            try await stream.run(write: write)
        }
    }
}

/// The parameters of `GET /v1/events`.
struct EventQuery: Sendable {
    /// The kinds of events that can be chosen; gaps are always sent.
    static let kinds = Event.Kind.allCases.filter { $0 != .gap }
    let filter: Filter
    let kinds: Set<Event.Kind>
    /// Only events after this number; without it and ``lastEventID``, new events only.
    let after: UInt64?
    /// The field `Last-Event-ID`, with which ``after`` is `nil`: it takes precedence, because a browser reconnects with
    /// the same URL.
    let lastEventID: UInt64?

    /// Reads the parameters and the field `Last-Event-ID`.
    init(_ query: consuming QueryString, lastEventID: String?) throws {
        let given = try query.takeAfter()
        let gap = Event.Kind.gap.rawValue
        if let name = query.rest.first(where: { ["event", "!event"].contains($0.name) && $0.value == gap })?.name {
            throw Problem.parameter(
                name, "gap can't be chosen: gaps are sent to every reader", allowed: EventQuery.kinds.map(\.rawValue))
        }
        kinds = try query.takeKinds("event", among: EventQuery.kinds, of: "event")
        let subject = FilterSubject.ofEvents(EventQuery.kinds.filter(kinds.contains))
        filter = try Filter(parameters: query.rest, besides: query.declared + ["!event"], of: subject)
        self.lastEventID = try lastEventID.map { text throws(Problem) in try ServerSentEvent.number(text) }
        after = self.lastEventID == nil ? given : nil
    }
}
