internal import APNsRules
internal import HTTPTypes

/// The OpenAPI 3.1 description of this API: what the routes declare, and the schemas of their documents.
///
/// Tests check every answer that they receive against it.
enum OpenAPIDocument {
    /// The document as JSON.
    static func text(of routes: [Route]) -> String {
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Mynah control API", "version": .string(MynahVersion.current),
                "description": .string(description),
            ],
            "servers": [["url": "/"]],
            "security": [.object([]), ["token": .array([])]],
            "paths": paths(of: routes),
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer", "description": "Needed if the server has --control-token.",
                    ]
                ],
                "responses": problemResponses,
                "schemas": schemas,
            ],
        ]
        return document.encodedText
    }

    private static let description = """
        What a test asks of a running Mynah. Times are RFC 3339 in UTC with milliseconds, durations are strings with a \
        unit (250ms, 5s, 1h30m), device tokens are lower-case hexadecimal. Unknown parameters and fields are errors. \
        Every error is a problem document. Calls from a browser need an Origin of this server or one of --cors-origin. \
        All calls need a Host that is an address, a name without a dot, a private name, or one of --tls-name and \
        --allowed-host; otherwise the answer is 403.
        """
}

// MARK: Operations

extension OpenAPIDocument {
    private static func paths(of routes: [Route]) -> JSONValue {
        let paths = routes.reduce(into: [String]()) { paths, route in
            if !paths.contains(route.path) { paths.append(route.path) }
        }
        return .object(
            paths.map { path in
                let operations = routes.filter { $0.path == path }
                return JSONMember(
                    path, .object(operations.map { JSONMember($0.method.rawValue.lowercased(), operation($0)) }))
            })
    }

    private static func operation(_ route: Route) -> JSONValue {
        var members = [
            JSONMember("operationId", .string(route.id)), JSONMember("summary", .string(route.summary)),
        ]
        if let details = route.details { members.append(JSONMember("description", .string(details))) }
        if route.isOpen { members.append(JSONMember("security", [.object([])])) }
        if !route.parameters.isEmpty {
            members.append(JSONMember("parameters", .array(route.parameters.map(parameter))))
        }
        if let body = route.body {
            let content: JSONValue = ["application/json": ["schema": .reference(body.schema)]]
            members.append(JSONMember("requestBody", ["required": .bool(body.isRequired), "content": content]))
        }
        members.append(JSONMember("responses", .object(responses(of: route))))
        return .object(members)
    }

    private static func parameter(_ parameter: CallParameter) -> JSONValue {
        var members = [
            JSONMember("name", .string(parameter.name)), JSONMember("in", .string(parameter.location.rawValue)),
            JSONMember("description", .string(parameter.description)), JSONMember("schema", parameter.schema),
        ]
        if parameter.location == .path { members.append(JSONMember("required", true)) }
        if parameter.schema["type"] == "object" {
            members += [JSONMember("style", "form"), JSONMember("explode", true)]
        }
        return .object(members)
    }

    private static func responses(of route: Route) -> [JSONMember] {
        let own = route.answers.map { answer in
            var members = [JSONMember("description", .string(answer.description))]
            if answer.hasLocation {
                members.append(JSONMember("headers", ["Location": ["schema": ["type": "string"]]]))
            }
            if !answer.content.isEmpty {
                let content = answer.content.map { JSONMember($0.name, ["schema": $0.value]) }
                members.append(JSONMember("content", .object(content)))
            }
            return JSONMember(String(answer.status), .object(members))
        }
        let refusals = Set((commonProblems + route.problems).filter { !route.isOpen || $0 != .unauthorized })
        let statuses = Set(refusals.map(\.status.code)).subtracting(route.answers.map(\.status)).sorted()
        return own
            + statuses.map {
                JSONMember(String($0), ["$ref": .string("#/components/responses/Problem\($0)")])
            }
    }
}

// MARK: Refusals

extension OpenAPIDocument {
    /// The refusals of any call: its parameters, its token, its source, its size, and a server that is shutting down.
    private static let commonProblems: [Problem.Kind] = [
        .invalidParameter, .unauthorized, .forbidden, .tooLarge, .longQuery, .unavailable,
    ]

    /// The components that the operations refer to, one for each status.
    private static var problemResponses: JSONValue {
        let statuses = Set(Problem.Kind.allCases.map(\.status.code)).sorted()
        return .object(
            statuses.map { status in
                let titles = Problem.Kind.allCases.filter { $0.status.code == status }.map(\.title)
                return JSONMember(
                    "Problem\(status)",
                    [
                        "description": .string(titles.joined(separator: ", ")),
                        "content": ["application/problem+json": ["schema": .reference("Problem")]],
                    ])
            })
    }
}
