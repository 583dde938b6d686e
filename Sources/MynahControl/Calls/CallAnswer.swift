internal import APNsRules

/// A good answer of a call, as its route declares it for the OpenAPI document.
struct CallAnswer: Sendable {
    let status: Int
    let description: String
    /// The schema of each media type; empty for an answer without a body.
    var content: [JSONMember] = []
    var hasLocation = false

    /// 200 with JSON, and with JSON lines whose lines are of the schema `line`.
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

    /// 200 with the counts of what was removed.
    static func removed(_ description: String = "What was removed.") -> CallAnswer { ok(description, "Removed") }

    /// 201, with the URL of what was made in `Location` where it has one.
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

/// The body of a call, as its route declares it.
struct CallBody: Sendable {
    let schema: String
    /// Whether an empty body is refused.
    let isRequired: Bool

    static func required(_ schema: String) -> CallBody { CallBody(schema: schema, isRequired: true) }
    static func optional(_ schema: String) -> CallBody { CallBody(schema: schema, isRequired: false) }
}

extension JSONValue {
    /// A reference to a schema of the OpenAPI document.
    static func reference(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }
}
