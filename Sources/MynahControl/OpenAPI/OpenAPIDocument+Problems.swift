internal import APNsRules
internal import HTTPTypes

/// The answers that refuse, of which the paths write down only those that are their own: a list of statuses under
/// `problems` among an operation's `responses`.
extension OpenAPIDocument {
    /// What any call may be answered: its parameters, its token, its source, its size, and a server that stops.
    private static let common: [Problem.Kind] = [
        .invalidParameter, .unauthorized, .forbidden, .tooLarge, .longQuery, .unavailable,
    ]

    /// A document whose operations have all of their refusals.
    static func withProblems(_ document: JSONValue) -> JSONValue {
        changing(document, "paths") { paths in
            .object(
                (paths.object ?? []).map { path in
                    JSONMember(
                        path.name,
                        .object((path.value.object ?? []).map { JSONMember($0.name, operation($0.value)) }))
                })
        }
    }

    /// The components that the operations refer to: one for each status, with the kinds that have it, and `Problem`
    /// for operations that write a refusal out.
    static var problemResponses: JSONValue {
        let statuses = Set(Problem.Kind.allCases.map(\.status.code)).sorted()
        return .object(
            [JSONMember("Problem", response("Why not."))]
                + statuses.map { status in
                    let titles = Problem.Kind.allCases.filter { $0.status.code == status }.map(\.title)
                    return JSONMember(name(status), response(titles.joined(separator: ", ")))
                })
    }

    private static func response(_ description: String) -> JSONValue {
        [
            "description": .string(description),
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
    }

    /// The values of a problem's `type`, as JSON.
    static var problemTypes: String {
        JSONValue.array(Problem.Kind.allCases.map { .string($0.type) }).encodedText
    }

    private static func operation(_ operation: JSONValue) -> JSONValue {
        let isOpen = operation["security"] == .array([.object([])])
        return changing(operation, "responses") { responses in
            let own = (responses["problems"]?.array ?? []).compactMap { $0.integer.map { Int($0) } }
            let common = common.map(\.status.code).filter { !isOpen || $0 != Problem.Kind.unauthorized.status.code }
            var members = (responses.object ?? []).filter { $0.name != "problems" }
            let written = Set(members.map(\.name))
            for status in Set(own + common).sorted() where !written.contains(String(status)) {
                members.append(
                    JSONMember(String(status), ["$ref": .string("#/components/responses/\(name(status))")]))
            }
            return .object(members)
        }
    }

    private static func changing(
        _ object: JSONValue, _ name: String, _ change: (JSONValue) -> JSONValue
    ) -> JSONValue {
        .object(
            (object.object ?? []).map { $0.name == name ? JSONMember(name, change($0.value)) : $0 })
    }

    private static func name(_ status: Int) -> String { "Problem\(status)" }
}
