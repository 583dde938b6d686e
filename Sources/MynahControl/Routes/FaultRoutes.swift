internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// `/v1/faults`: what the server does wrong, when, and to whom (`Documents#Fault-rules`).
///
/// A change holds when it is answered: every later request sees it, on open connections too.
struct FaultRoutes {
    /// The most firings that a call waits for.
    private static let hitsMax = Int64(Int32.max)

    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/faults") { [state] in try FaultRoutes.list($0, state.server) },
            Route(.post, "/v1/faults") { [state] in try FaultRoutes.add($0, state.server) },
            Route(.delete, "/v1/faults") { [state] call in
                let filter = try FaultQuery.filter(call.query().rest)
                return FaultRoutes.removed(state.server.removeFaults(where: filter))
            },
            Route(.get, "/v1/faults/{id}") { [state] in try await FaultRoutes.one($0, state) },
            Route(.put, "/v1/faults/{id}") { [state] in try FaultRoutes.put($0, state.server) },
            Route(.patch, "/v1/faults/{id}") { [state] in try FaultRoutes.change($0, state.server) },
            Route(.delete, "/v1/faults/{id}") { [state] call in
                try call.checkNoQuery()
                let id = try call.pathText("id")
                guard state.server.removeFault(id) else { throw FaultRoutes.unknown(id) }
                return FaultRoutes.removed(1)
            },
        ]
    }

    // MARK: Reading

    private static func list(_ call: Call, _ server: Server) throws -> Response {
        let query = try FaultQuery(call.query())
        let faults = server.faults
        var rest = faults[...]
        if let after = query.after {
            guard let index = faults.firstIndex(where: { $0.rule.id == after }) else {
                throw Problem(
                    .evicted, "the rule \(after), where the page before ended, is gone; begin without cursor",
                    field: "cursor")
            }
            rest = faults[(index + 1)...]
        }
        let matching = rest.filter { query.filter.holds($0.rule) }
        let page = matching.prefix(query.limit)
        var list = ListPage(
            items: Array(page),
            matched: query.after == nil ? matching.count : faults.count { query.filter.holds($0.rule) }
        ) { $0.json }
        if matching.count > page.count, let last = page.last {
            list.nextCursor = IDCursor(id: last.rule.id).text
        }
        list.lastSequence = server.journal.lastIssued
        return list.response(to: call)
    }

    private static func one(_ call: Call, _ state: ControlState) async throws -> Response {
        var query = try call.query()
        let wait = try query.takeDuration("wait", max: ListWindow.waitMax)
        let given = try query.takeInteger("hits", in: 1...hitsMax)
        try query.finish(known: ["wait", "hits"])
        if given != nil, wait == nil {
            throw Problem(
                .invalidParameter, "hits says what to wait for; give wait as well, such as wait=5s", field: "hits")
        }
        let id = try call.pathText("id")
        guard let view = state.server.fault(id) else { throw unknown(id) }
        guard let wait else { return .json(view.json) }
        let hits = Int(given ?? 1)
        guard view.counters.fired < hits else { return waited(view, hits) }
        let deadline = ContinuousClock.now + wait
        return try await call.whileCallerStays(state.logger) {
            let view = await cancelWhenGracefulShutdown {
                await state.server.waitForFault(id, hits: hits, until: deadline)
            }
            try Task.checkCancellation()
            guard let view else {
                throw Problem(.notFound, "the rule \(id) was removed while this call waited for it", field: "id")
            }
            return waited(view, hits)
        }
    }

    private static func waited(_ view: FaultView, _ hits: Int) -> Response {
        let isTimedOut = view.counters.fired < hits
        return .json(.object((view.json.object ?? []) + [JSONMember("timedOut", .bool(isTimedOut))]))
    }

    // MARK: Changing

    private static func add(_ call: Call, _ server: Server) throws -> Response {
        try call.checkNoQuery()
        let json = try RequestDocument.value(call.body)
        let drafts = try reading { () throws(InputError) in try FaultDraft.list(json: json) }
        let isArray = json.array != nil
        let pointers = isArray ? drafts.indices.map { "/\($0)" } : [""]
        let made = try reading { () throws(InputError) in
            try server.addFaults(drafts, pointers: pointers)
        }
        guard !isArray else {
            var list = ListPage(items: made, matched: made.count) { $0.json }
            list.lastSequence = server.journal.lastIssued
            return list.response(to: call, status: .created)
        }
        guard let view = made.first else {
            throw Problem(.conflict, "the rule was removed as soon as it was made")
        }
        return created(view)
    }

    private static func put(_ call: Call, _ server: Server) throws -> Response {
        try call.checkNoQuery()
        let id = try call.pathText("id")
        let members = try RequestDocument(call.body).members
        if let given = JSONValue.object(members)["id"], given != .null, given != .string(id) {
            throw Problem(
                .invalidField, "id is \(given.encodedText), and the path says \(id); leave it out", field: "/id",
                allowed: [id])
        }
        // With the path's id, so that one that is none is told as from anywhere else.
        let whole = JSONValue.object([JSONMember("id", .string(id))] + members.filter { $0.name != "id" })
        let draft = try reading { () throws(InputError) in try FaultDraft(json: whole) }
        let (view, isNew) = try reading { () throws(InputError) in try server.putFault(draft, id: id) }
        return isNew ? created(view) : .json(view.json)
    }

    private static func change(_ call: Call, _ server: Server) throws -> Response {
        try call.checkNoQuery()
        let id = try call.pathText("id")
        let patch = JSONValue.object(try RequestDocument(call.body).members)
        let view = try reading { () throws(InputError) in try server.patchFault(id, with: patch) }
        guard let view else { throw unknown(id) }
        return .json(view.json)
    }

    // MARK: Answers

    private static func created(_ view: FaultView) -> Response {
        var response = Response.json(view.json, status: .created)
        response.headers[.location] = "/v1/faults/\(PathText.encoded(view.rule.id))"
        return response
    }

    private static func removed(_ count: Int) -> Response {
        .json(["removed": ["faults": .number(JSONNumber(count))]])
    }

    private static func unknown(_ id: String) -> Problem {
        Problem(.notFound, "there is no fault rule \(id); GET /v1/faults lists them", field: "id")
    }

    private static func reading<Value>(_ read: () throws(InputError) -> Value) throws(Problem) -> Value {
        do { return try read() } catch { throw Problem(error) }
    }
}
