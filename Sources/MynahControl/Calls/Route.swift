internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import MynahCore

/// One call of the API: how it is found, what the OpenAPI document says about it, and its handler.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// As OpenAPI writes it: `/v1/notifications/{id}`.
    let path: String
    let id: String
    let summary: String
    let details: String?
    /// Whether it can be called without the token.
    let isOpen: Bool
    /// Whether it can be called while a recorded run is looked at: it changes nothing, and answers about the run.
    let isForRecorded: Bool
    /// Whether it is about this process alone, and so answers while a cluster's engine is away.
    let isOfProcess: Bool
    /// Whether it accepts any query: browsers and probes may add one.
    let ignoresQuery: Bool
    let parameters: [CallParameter]
    let body: CallBody?
    let answers: [CallAnswer]
    /// The refusals of this call, in addition to those of all calls.
    let problems: [Problem.Kind]
    let handle: @Sendable (Call) async throws -> Response
    private let parts: [Substring]

    init(
        _ method: HTTPRequest.Method, _ path: String, id: String, summary: String, details: String? = nil,
        isOpen: Bool = false, isForRecorded: Bool? = nil, isOfProcess: Bool = false, ignoresQuery: Bool = false,
        parameters: [CallParameter] = [], body: CallBody? = nil,
        answers: [CallAnswer], problems: [Problem.Kind] = [],
        handle: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.details = details
        self.isOpen = isOpen
        self.ignoresQuery = ignoresQuery
        self.parameters = parameters
        self.body = body
        self.isOfProcess = isOfProcess || isOpen
        self.isForRecorded = isForRecorded ?? (method == .get)
        self.answers = answers
        self.handle = handle
        self.problems = problems + (self.isForRecorded ? [] : [.conflict])
        self.parts = RouteTable.parts(path)
    }

    /// Reads a query, and refuses parameters that the route doesn't declare; a route with filters leaves the names to
    /// its handler, because a filter can name any part of a payload.
    func query(_ text: String) throws(Problem) -> QueryString {
        guard !ignoresQuery else { return try QueryString("") }
        let declared = parameters.filter { $0.location == .query }
        let query = try QueryString(text, declared: declared.filter { !$0.isFilter }.map(\.name))
        if !declared.contains(where: \.isFilter) { try query.check() }
        return query
    }

    /// Whether this route answers a method: `HEAD` is answered as `GET`, without the body.
    func accepts(_ method: HTTPRequest.Method) -> Bool {
        method == self.method || method == .head && self.method == .get
    }

    /// The named parts of a path, or `nil` when the path is not this route's.
    func pathParameters(of path: [Substring]) -> [String: String]? {
        guard parts.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, given) in zip(parts, path) {
            guard part.hasPrefix("{") ? !given.isEmpty : part == given else { return nil }
            if part.hasPrefix("{") { parameters[String(part.dropFirst().dropLast())] = String(given) }
        }
        return parameters
    }
}

/// The calls of the API, in place of Hummingbird's router, which answers 404 where only the method is wrong and can't
/// list its routes for the OpenAPI document.
struct RouteTable: Sendable {
    let routes: [Route]

    /// The routes of a path, with its named parts; several methods of one path have the same names.
    func find(_ path: String) -> (routes: [Route], parameters: [String: String]) {
        let parts = RouteTable.parts(path)
        let found = routes.compactMap { route in route.pathParameters(of: parts).map { (route, $0) } }
        return (found.map(\.0), found.last?.1 ?? [:])
    }

    static func parts(_ path: String) -> [Substring] {
        Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    }
}

/// A successful answer of a call, as its route declares it for the OpenAPI document.
struct CallAnswer: Sendable {
    let status: Int
    let description: String
    /// The schema of each media type; empty for an answer without a body.
    var content: [JSONMember] = []
    var hasLocation = false

    /// 200 with JSON, or as JSON lines if each line has a schema, `line`.
    static func ok(_ description: String, _ schema: String, lines line: String? = nil) -> CallAnswer {
        let lines = line.map { [JSONMember("application/x-ndjson", .reference($0))] } ?? []
        return CallAnswer(
            status: 200, description: description, content: [JSONMember("application/json", .reference(schema))] + lines
        )
    }

    /// 200 with a page of a list, whose schema is named after that of its items.
    static func page(of item: String, _ description: String = "A page.") -> CallAnswer {
        ok(description, item + "Page", lines: item)
    }

    static func removed(_ description: String = "What was removed.") -> CallAnswer { ok(description, "Removed") }

    /// 201; with `hasLocation`, the URL of what was created is in `Location`.
    static func created(_ description: String, _ schema: String, hasLocation: Bool = true) -> CallAnswer {
        CallAnswer(
            status: 201, description: description, content: [JSONMember("application/json", .reference(schema))],
            hasLocation: hasLocation)
    }

    /// 200 with text of one of these media types.
    static func text(_ description: String, _ types: [String]) -> CallAnswer {
        CallAnswer(status: 200, description: description, content: types.map { JSONMember($0, ["type": "string"]) })
    }
}

struct CallBody: Sendable {
    /// The name of its schema.
    let schema: String
    let example: JSONValue
    /// Whether an empty body is refused.
    let isRequired: Bool

    /// A body that is a document, or, under another name, may be one.
    static func required(_ document: RequestDocument, as name: String? = nil) -> CallBody {
        CallBody(schema: name ?? document.name, example: document.example, isRequired: true)
    }

    static func optional(_ document: RequestDocument) -> CallBody {
        CallBody(schema: document.name, example: document.example, isRequired: false)
    }
}

extension JSONValue {
    /// A reference to a schema of the OpenAPI document.
    static func reference(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }
}

extension Route {
    /// The names of the probes, which are their paths as well.
    static let probeNames = ["livez", "healthz", "readyz"]
}
