internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/clock`: the server's time, and advancing it (`Documents#Clock`).
struct ClockRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/clock") { [state] in try ClockRoutes.show($0, state) },
            Route(.put, "/v1/clock") { [state] in try await ClockRoutes.set($0, state) },
            Route(.post, "/v1/clock/advance") { [state] in try await ClockRoutes.advance($0, state) },
        ]
    }

    private static func show(_ call: Call, _ state: ControlState) throws -> Response {
        var query = try call.query()
        let scope = try query.take("scope").map { name throws(Problem) in try ScopeReading.name(name, field: "scope") }
        try query.finish(known: ["scope"])
        let clock = state.server.clock(ofScope: scope)
        return .json(["mode": .string(clock.mode.rawValue), "now": .string(clock.now.rfc3339)])
    }

    private static func set(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let reader = try RequestDocument.reader(call.body, changeSchema)
        let change: ClockChange
        do throws(InputError) { change = try ClockChange(reader) } catch { throw Problem(error) }
        let (mode, now, scope) = (change.mode, change.now, reader.text("scope"))
        return try await report("/now") {
            if mode == .real { return try await state.server.setClockReal(ofScope: scope) }
            return try await state.server.changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                // Without a mode, a clock that runs goes on running from there.
                if let mode {
                    try clock.set(mode, now: now, wall: wall)
                } else if let now {
                    try clock.advance(to: now, wall: wall)
                }
            }
        }
    }

    private static func advance(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let reader = try RequestDocument.reader(call.body, advanceSchema)
        let scope = reader.text("scope")
        switch (reader.duration("by"), reader.text("to")) {
        case (nil, nil):
            throw Problem(
                .invalidField,
                "neither by nor to is given: expected by with a duration such as 1h, or to with a time or next",
                field: "/by")
        case (.some, .some):
            throw Problem(.invalidField, "by and to exclude each other: one of them says how far", field: "/to")
        case (let by?, nil):
            return try await report("/by") {
                try await state.server.changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                    try clock.advance(by: by, wall: wall)
                }
            }
        case (nil, "next"?):
            guard let report = try await state.server.advanceClockToNext(ofScope: scope) else {
                throw Problem(.conflict, "nothing is due: no push waits and no connection is idle", field: "/to")
            }
            return .json(json(report))
        case (nil, let to?):
            guard let instant = Instant(rfc3339: to) else {
                throw Problem(
                    InputError.mismatch(.string(to), at: "/to", expected: "\(Form.time.expected), or next"))
            }
            return try await report("/to") {
                try await state.server.changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                    try clock.advance(to: instant, wall: wall)
                }
            }
        }
    }

    static let changeSchema = ClockChange.schema + scopeSchema
    static let advanceSchema =
        [
            Member("by", .duration(.zero...Form.durationMax)),
            Member("to", .someText, "A time, or next: the next thing that is due."),
        ] + scopeSchema
    private static let scopeSchema: Schema = [Member("scope", .name(bytesMax: ScopeName.bytesMax))]

    // MARK: Answers

    private static func report(
        _ field: String, _ change: () async throws -> ClockReport
    ) async throws -> Response {
        do {
            return .json(json(try await change()))
        } catch let backwards as ClockState.Backwards {
            throw Problem(.conflict, backwards.problem, field: field)
        }
    }

    private static func json(_ report: ClockReport) -> JSONValue {
        [
            "mode": .string(report.mode.rawValue),
            "now": .string(report.now.rfc3339),
            "lastSequence": .number(JSONNumber(report.lastSequence)),
            "delivered": .number(JSONNumber(report.delivered)),
            "expired": .number(JSONNumber(report.expired)),
            "coalesced": .number(JSONNumber(report.coalesced)),
        ]
    }
}
