internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/clock`: the server's time, and advancing it (`Documents#Clock`).
enum ClockRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/clock", id: "getClock", summary: "Get the time and how the clock runs",
            parameters: [.query("scope", "The clock's scope; by default the server's.", schema: .reference("Scope"))],
            answers: [.ok("The clock.", "Clock")], handle: show),
        Route(
            .put, "/v1/clock", id: "setClock", summary: "Set the time and how the clock runs",
            details: "The clock never goes back, except to the system's time with mode real.",
            body: .required(RequestSchemas.clockChange),
            answers: [.ok("The clock, and what became due.", "ClockReport")],
            problems: [.conflict], handle: set),
        Route(
            .post, "/v1/clock/advance", id: "advanceClock", summary: "Advance the clock",
            details: "Everything that becomes due has happened when the call answers.",
            body: .required(RequestSchemas.clockAdvance),
            answers: [.ok("The clock, and what became due.", "ClockReport")],
            problems: [.conflict], handle: advance),
    ]

    private static func show(_ call: Call) throws -> Response {
        var query = call.query
        let scope = try query.take("scope")
        if let scope { try ScopeName.check(scope, at: "scope") }
        return .json(call.server.clock(ofScope: scope).json)
    }

    private static func set(_ call: Call) async throws -> Response {
        let reader = try call.reader(RequestSchemas.clockChange.schema)
        let change = try ClockChange(reader)
        let scope = reader.text("scope")
        if change.mode == .real { return .json(try await call.server.setClockReal(ofScope: scope).json) }
        return try await self.change(call, field: "/now", ofScope: scope, .set(change.mode, now: change.now))
    }

    private static func advance(_ call: Call) async throws -> Response {
        let reader = try call.reader(RequestSchemas.clockAdvance.schema)
        let scope = reader.text("scope")
        switch (reader.duration("by"), reader.text("to")) {
        case (nil, nil):
            throw InputError(
                at: "/by",
                "neither by nor to is given: expected by with a duration such as 1h, or to with a time or next")
        case (.some, .some): throw InputError(at: "/to", "both by and to are given: expected one of them")
        case (let by?, nil):
            return try await change(call, field: "/by", ofScope: scope, .advance(by: by))
        case (nil, "next"?):
            let problem = "nothing is due: no push is waiting and no connection is idle"
            let report = try await call.server.advanceClockToNext(ofScope: scope)
            return .json(try report.found(or: Problem(.conflict, problem, field: "/to")).json)
        case (nil, let to?):
            guard let instant = Instant(rfc3339: to) else {
                throw InputError.mismatch(.string(to), at: "/to", expected: "\(Form.time.expected), or next")
            }
            return try await change(call, field: "/to", ofScope: scope, .set(now: instant))
        }
    }

    private static func change(
        _ call: Call, field: String, ofScope scope: String?, _ change: ClockState.Change
    ) async throws -> Response {
        do {
            return .json(try await call.server.changeClock(ofScope: scope, change).json)
        } catch let error as InputError where error.kind == .backwards {
            throw Problem(.conflict, error.problem, field: field)
        }
    }
}
