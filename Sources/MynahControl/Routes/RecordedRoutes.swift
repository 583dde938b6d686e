internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/recorded`: the place at which `mynah open` shows a recorded run.
enum RecordedRoutes {
    static let routes: [Route] = [
        Route(
            .put, "/v1/recorded", id: "setRecordedPlace", summary: "Show a recorded run at another place",
            details: "All calls from then on answer about that place. A server that runs answers 409.",
            isForRecorded: true, body: .required(RequestSchemas.recordedPlaceChange),
            answers: [.ok("The run, and the place that is shown.", "RecordedRun")], problems: [.conflict], handle: move)
    ]

    private static func move(_ call: Call) async throws -> Response {
        let place = try place(call.reader(RequestSchemas.recordedPlaceChange.schema))
        guard let viewer = call.server.recorded?.viewer else {
            throw Problem(.conflict, "the server runs: only a recorded run can be shown at another place")
        }
        let server: Server
        do { server = try await viewer.server(at: place) } catch let error as InputError {
            // A run knows places, and no members of a body.
            throw error.kind == .invalid ? error.at(place.field) : error
        }
        try await viewer.retire(call.state.show(server))
        return .json(server.recorded?.json ?? .null)
    }

    private static func place(_ reader: ObjectReader) throws(InputError) -> RecordedRun.Place {
        switch (reader.integer("sequence", UInt64.self), reader.instant("time")) {
        case (let sequence?, nil): return .sequence(sequence)
        case (nil, let time?): return .time(time)
        case (nil, nil): throw InputError(at: "/sequence", "neither sequence nor time is given: expected one of them")
        case (.some, .some): throw InputError(at: "/time", "both sequence and time are given: expected one of them")
        }
    }
}

extension RecordedRun.Place {
    /// The pointer of the member that names it.
    fileprivate var field: String {
        switch self {
        case .end: ""
        case .sequence: "/sequence"
        case .time: "/time"
        }
    }
}
