internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `GET /v1/events`: everything that happens, as server-sent events, filtered and resumable.
struct EventRoutes {
    let state: ControlState
    private let readers = EventReaders()

    /// The routes over what all of them share.
    init(state: ControlState) {
        self.state = state
    }

    var routes: [Route] {
        [Route(.get, "/v1/events") { [state, readers] in try await EventRoutes.open($0, state, readers) }]
    }

    private static func open(_ call: Call, _ state: ControlState, _ readers: EventReaders) async throws -> Response {
        let server = state.server
        let lastEventID = call.request.headers[ServerSentEvent.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        let query = try EventQuery(call.query(), lastEventID: lastEventID)
        let last = await server.journal.settled()
        // A number that was never given out is one of a server before this: all of this one is new to the reader.
        let position = query.after.map { $0 > last ? 0 : $0 } ?? last
        return call.stream {
            // Nothing is to be undone.
        } run: { write in
            readers.enter()
            defer { readers.leave() }
            var stream = EventStream(server, query, behind: position, state.streamLimits, readers, issued: last)
            try await stream.run(write: write)
        }
    }
}
