internal import APNsRules

/// A good answer of a call, as its route declares it for the OpenAPI document.
struct CallAnswer: Sendable {
    let status: Int
    let description: String
    /// The schema of each media type; empty for an answer without a body.
    let content: [JSONMember]
    var hasLocation = false

    /// 200 with JSON, and with JSON lines whose lines are of the schema `line`.
    static func ok(_ description: String, _ schema: JSONValue, lines line: String? = nil) -> CallAnswer {
        var content = [JSONMember("application/json", schema)]
        if let line { content.append(JSONMember("application/x-ndjson", .reference(line))) }
        return CallAnswer(status: 200, description: description, content: content)
    }

    /// 200 with JSON of a named schema.
    static func ok(_ description: String, _ schema: String) -> CallAnswer { ok(description, .reference(schema)) }

    /// 200 with a page of a list, whose schema is named after that of its items.
    static func page(of item: String, _ description: String = "A page.") -> CallAnswer {
        ok(description, .reference(item + "Page"), lines: item)
    }

    /// 200 with a list that has no pages.
    static func list(of item: JSONValue, lines line: String? = nil, _ description: String) -> CallAnswer {
        ok(
            description,
            ["type": "object", "required": ["items"], "properties": ["items": ["type": "array", "items": item]]],
            lines: line)
    }

    /// 200 with the counts of what was removed.
    static func removed(_ description: String = "What was removed.") -> CallAnswer { ok(description, "Removed") }

    /// 201 with the URL of what was made in `Location`.
    static func created(_ description: String, _ schema: JSONValue) -> CallAnswer {
        CallAnswer(
            status: 201, description: description, content: [JSONMember("application/json", schema)],
            hasLocation: true)
    }

    /// 201 with JSON of a named schema.
    static func created(_ description: String, _ schema: String) -> CallAnswer {
        created(description, .reference(schema))
    }

    /// 200 with text of one of these media types.
    static func text(_ description: String, _ types: [String]) -> CallAnswer {
        CallAnswer(status: 200, description: description, content: types.map { JSONMember($0, ["type": "string"]) })
    }

    /// An answer without a body.
    static func empty(_ status: Int, _ description: String) -> CallAnswer {
        CallAnswer(status: status, description: description, content: [])
    }
}

/// The body of a call, as its route declares it.
struct CallBody: Sendable {
    let schema: JSONValue
    /// Whether an empty body is refused.
    let isRequired: Bool

    static func required(_ schema: JSONValue) -> CallBody { CallBody(schema: schema, isRequired: true) }

    static func required(_ schema: String) -> CallBody { required(.reference(schema)) }

    static func optional(_ schema: String) -> CallBody {
        CallBody(schema: .reference(schema), isRequired: false)
    }
}
