internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// `/v1/faults`: what the server does wrong, when, and to whom (`Documents#Fault-rules`); and `/v1/magic-tokens`.
///
/// Once a change is answered, every later request sees it, on open connections too.
enum FaultRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/faults", id: "listFaults", summary: "List the fault rules",
            details:
                "Rules are tried in the order asc: higher rulePriority first, then newest first. 410 if the rule that "
                + "the cursor names is gone.",
            parameters: filters + CallParameter.page("as they are tried", limit: ListPage.limitDefault),
            answers: [.page(of: "Fault")], problems: [.evicted], handle: list),
        Route(
            .post, "/v1/faults", id: "addFaults", summary: "Add a rule, or all rules of an array",
            details: "All rules of an array are added, or none. They apply to every request after the answer, on open "
                + "connections too. The last rule of an array counts as the newest.",
            body: .required(FaultDraft.document, as: "FaultSpecifications"),
            answers: [.created("The rule with its Location; for an array, a page with all of them.", "AddedFaults")],
            problems: [.conflict], handle: add),
        Route(
            .delete, "/v1/faults", id: "deleteFaults",
            summary: "Remove the rules that match; all of them without a filter", parameters: filters,
            answers: [.removed()]
        ) { call in
            let filter = try FaultFilter(of: call.query.selection(), besides: [])
            return .removed(["faults": try await call.server.removeFaults(where: filter)])
        },
        Route(
            .get, "/v1/faults/{id}", id: "getFault",
            summary: "Get one rule, optionally once it has fired a number of times",
            details: "With wait the answer is held until the rule has fired hits times or the time is over: then "
                + "timedOut is true.",
            parameters: [
                id, .wait,
                .integer(
                    "hits", "With wait: how often the rule must have fired in all. It means nothing without wait.",
                    min: 1, default: 1),
            ],
            answers: [.ok("The rule; with wait also timedOut.", "Fault")], problems: [.notFound], handle: one),
        Route(
            .put, "/v1/faults/{id}", id: "putFault", summary: "Create a rule, or replace the one with this ID",
            parameters: [id], body: .required(FaultDraft.document),
            answers: [
                .ok("The replaced rule; it counts as the newest, and its counters start at zero.", "Fault"),
                .created("The new rule.", "Fault"),
            ], problems: [.conflict], handle: put),
        Route(
            .patch, "/v1/faults/{id}", id: "changeFault", summary: "Change a part of a rule",
            details: "Its counters continue. In match only the given filters change, and null removes one; action "
                + "replaces actions and vice versa.",
            parameters: [id], body: .required(FaultDraft.changeDocument), answers: [.ok("The rule.", "Fault")],
            problems: [.notFound]
        ) { call in
            let id = try call.pathText("id")
            let patch = try call.object()
            let view = try await call.server.patchFault(id, with: patch)
            return .json(try view.found(or: unknown(id)).answer)
        },
        Route(
            .delete, "/v1/faults/{id}", id: "deleteFault", summary: "Remove a rule", parameters: [id],
            answers: [.removed()], problems: [.notFound]
        ) { call in
            let id = try call.pathText("id")
            guard try await call.server.removeFault(id) else { throw unknown(id) }
            return .removed(["faults": 1])
        },
        Route(
            .get, "/v1/magic-tokens", id: "listMagicTokens",
            summary: "List the device tokens that always get the same answer",
            details: "For tests that control only the token. They are the same in every version, and no device "
                + "can have one.",
            parameters: CallParameter.page("refusals first, then faults"),
            answers: [.page(of: "MagicToken", "A page; empty with --magic-tokens off.")], problems: [.evicted]
        ) { call in
            let tokens = call.server.settings.hasMagicTokens ? MagicTokens.all : []
            return try ListPage(tokens, to: call, id: \.token.hex, json: \.json).response(to: call)
        },
    ]

    private static let id = CallParameter.path("id", "The rule's ID.")
    private static let filters: [CallParameter] = [
        filter(
            .fault, ". Like all filters here it may be repeated for any of several values, or negated with a leading !."
        ),
        filter(.name), filter(.scope), filter(.enabled, each: ["type": "boolean"]),
        filter(.fired, each: ["type": "boolean"]), filter(.event, each: Form.choice(FaultEvent.self).openAPI()),
        filter(.action),
    ]

    private static func filter(
        _ key: FaultFilterKey, _ urlForm: String = "", each value: JSONValue = ["type": "string"]
    ) -> CallParameter {
        .repeated(key.rawValue, key.sentence, urlForm: urlForm, each: value, form: key.form, isFilter: true)
    }

    private static func list(_ call: Call) throws -> Response {
        var query = call.query
        for name in ["limit", "order", "cursor"] { _ = query.takeAll(name) }
        let filter = try FaultFilter(of: query.rest, besides: query.declared)
        return try ListPage(
            call.server.faults, to: call, limit: ListPage.limitDefault, id: \.rule.id,
            where: { filter.holds($0.rule, $0.counters) }, json: \.answer
        ).response(to: call)
    }

    private static func one(_ call: Call) async throws -> Response {
        var query = call.query
        let wait = try query.takeDuration("wait", max: ListWindow.waitMax)
        let hits = Int(try query.takeInteger("hits", in: 1...Int64(Int32.max)) ?? 1)
        let id = try call.pathText("id")
        let view = try call.server.fault(id).found(or: unknown(id))
        guard let wait else { return .json(view.answer) }
        guard view.counters.fired < hits else { return waited(view, hits) }
        let deadline = call.deadline(after: wait)
        return try await call.whileCallerStays {
            let view = await cancelWhenGracefulShutdown {
                await call.server.waitForFault(id, hits: hits, until: deadline)
            }
            try Task.checkCancellation()
            let problem = "the rule \(id) was removed while this call waited for it"
            return waited(try view.found(or: Problem(.notFound, problem, field: "id")), hits)
        }
    }

    private static func waited(_ view: FaultView, _ hits: Int) -> Response {
        let isTimedOut = view.counters.fired < hits
        return .json(.object((view.answer.object ?? []) + [JSONMember("timedOut", .bool(isTimedOut))]))
    }

    private static func add(_ call: Call) async throws -> Response {
        let (isArray, drafts) = try await WorkThreads.run {
            let json = try call.json()
            return (json.array != nil, try FaultDraft.list(json: json))
        }
        let pointers = isArray ? drafts.indices.map { "/\($0)" } : [""]
        let made = try await call.server.addFaults(drafts, pointers: pointers)
        guard !isArray else {
            return ListPage(items: made.map(\.answer), to: call).response(to: call, status: .created)
        }
        return created(try made.first.found(or: Problem(.conflict, "the rule was removed while it was being added")))
    }

    private static func put(_ call: Call) async throws -> Response {
        let id = try call.pathText("id")
        let draft = try await WorkThreads.run { try FaultDraft(json: call.object(withID: id)) }
        let (view, isNew) = try await call.server.putFault(draft, id: id)
        return isNew ? created(view) : .json(view.answer)
    }

    private static func created(_ view: FaultView) -> Response {
        .created(view.answer, at: "/v1/faults/\(PathText.encoded(view.rule.id))")
    }

    private static func unknown(_ id: String) -> Problem {
        Problem(.notFound, "unknown fault rule \(id): GET /v1/faults lists them", field: "id")
    }
}
