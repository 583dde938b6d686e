internal import APNsRules
internal import HTTPTypes

/// The OpenAPI 3.1 description of this API: the routes' declarations, and the schemas of their documents.
///
/// Tests check every answer that they receive against it.
enum OpenAPIDocument {
    static func text(of routes: [Route]) -> String {
        var components = SchemaComponents(schemas)
        let examples = OpenAPIExamples(components.members)
        let paths = paths(of: routes, &components, examples)
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Mynah control API", "version": .string(MynahVersion.current),
                "description": .string(description),
            ],
            "servers": [["url": "/"]],
            "security": [.object([]), ["token": .array([])]],
            "tags": .array(
                OpenAPITag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.summary)] }),
            "paths": paths,
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer", "description": "Needed if the server has --control-token.",
                    ]
                ],
                "responses": problemResponses,
                "schemas": .object(components.members),
            ],
        ]
        return document.encodedText
    }

    private static let description = """
        What a test asks of a running Mynah. Times are RFC 3339 in UTC with milliseconds, durations are strings with a \
        unit (250ms, 5s, 1h30m), device tokens are lower-case hexadecimal. Unknown parameters and fields are errors. \
        Every error is a problem document. Calls from a browser need an Origin of this server or one of --cors-origin. \
        All calls need a Host that is an address, a name without a dot, a private name, or one of --tls-name and \
        --allowed-host; otherwise the answer is 403. HEAD is answered like GET, without the body.
        """

    private static func paths(
        of routes: [Route], _ components: inout SchemaComponents, _ examples: OpenAPIExamples
    ) -> JSONValue {
        let paths = routes.reduce(into: [String]()) { paths, route in
            if !paths.contains(route.path) { paths.append(route.path) }
        }
        return .object(
            paths.map { path in
                let operations = routes.filter { $0.path == path }.map {
                    JSONMember($0.method.rawValue.lowercased(), operation($0, &components, examples))
                }
                return JSONMember(path, .object(operations))
            })
    }

    private static func operation(
        _ route: Route, _ components: inout SchemaComponents, _ examples: OpenAPIExamples
    ) -> JSONValue {
        let body = route.body.map { body -> JSONValue in
            let media: JSONValue = ["schema": .reference(body.schema), "example": body.example]
            return ["required": .bool(body.isRequired), "content": ["application/json": media]]
        }
        let parameters = route.parameters.map { parameter($0, of: route, &components) }
        return .present([
            "operationId": .string(route.id), "tags": [.string(OpenAPITag(path: route.path).rawValue)],
            "summary": .string(route.summary),
            "description": route.details.map { .string($0) }, "security": route.isOpen ? [.object([])] : .none,
            "x-recorded": route.isForRecorded ? true : .none,
            "parameters": parameters.isEmpty ? .none : .array(parameters),
            "requestBody": body, "responses": .object(responses(of: route, examples)),
        ])
    }

    private static func parameter(
        _ parameter: CallParameter, of route: Route, _ components: inout SchemaComponents
    ) -> JSONValue {
        let words = (route.id + "-" + parameter.name).split(separator: "-")
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let isObject = parameter.schema["type"] == "object"
        return .present([
            "name": .string(parameter.name), "in": .string(parameter.location.rawValue),
            "description": .string(parameter.description), "schema": components.named(parameter.schema, name),
            "required": parameter.location == .path ? true : .none,
            "style": isObject ? "form" : .none, "explode": isObject ? true : .none,
        ])
    }

    private static func responses(of route: Route, _ examples: OpenAPIExamples) -> [JSONMember] {
        let own = route.answers.map { answer in
            let content = answer.content.map { media in
                JSONMember(
                    media.name,
                    ["schema": media.value, "example": examples.exampleAnswer(of: route.id, media.name, media.value)])
            }
            return JSONMember(
                String(answer.status),
                .present([
                    "description": .string(answer.description),
                    "headers": answer.hasLocation ? ["Location": ["schema": ["type": "string"]]] : .none,
                    "content": content.isEmpty ? .none : .object(content),
                ]))
        }
        let refusals = Set((commonProblems + route.problems).filter { !route.isOpen || $0 != .unauthorized })
        let statuses = Set(refusals.map(\.status.code)).subtracting(route.answers.map(\.status)).sorted()
        return own + statuses.map { JSONMember(String($0), ["$ref": .string("#/components/responses/Problem\($0)")]) }
    }

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
