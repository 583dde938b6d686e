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
        let document = try RequestDocument(call.body)
        try document.check(known: ["mode", "now", "scope"])
        let mode = try document["mode"].map { value throws(Problem) in try ClockReading.mode(value, at: "/mode") }
        let now = try document["now"].map { value throws(Problem) in try ClockReading.instant(value, at: "/now") }
        guard mode != nil || now != nil else {
            throw Problem(
                .invalidField, "neither mode nor now is given; one of them is what to set", field: "/mode",
                allowed: ClockState.Mode.allCases.map(\.rawValue))
        }
        guard mode != .real || now == nil else {
            throw Problem(
                .invalidField, "a real clock says what the wall says; give now to another mode", field: "/now")
        }
        let scope = try ScopeReading.scope(document)
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
        let document = try RequestDocument(call.body)
        try document.check(known: ["by", "to", "scope"])
        let scope = try ScopeReading.scope(document)
        switch (document["by"], document["to"]) {
        case (nil, nil):
            throw Problem(
                .invalidField, "neither by nor to is given; by takes a duration such as 1h, to a time or next",
                field: "/by")
        case (.some, .some):
            throw Problem(.invalidField, "by and to are both given; one of them says how far", field: "/to")
        case (let by?, nil):
            let duration = try ClockReading.duration(by, at: "/by")
            return try await report("/by") {
                try await state.server.changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                    try clock.advance(by: duration, wall: wall)
                }
            }
        case (nil, .some("next")):
            guard let report = try await state.server.advanceClockToNext(ofScope: scope) else {
                throw Problem(.conflict, "nothing is due: no push waits and no connection is idle", field: "/to")
            }
            return .json(json(report))
        case (nil, let to?):
            let instant = try ClockReading.instant(to, at: "/to", orWord: "next")
            return try await report("/to") {
                try await state.server.changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                    try clock.advance(to: instant, wall: wall)
                }
            }
        }
    }

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
