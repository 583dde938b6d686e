internal import APNsRules
internal import MynahCore

/// A parameter of a call, as its route declares it for the OpenAPI document and for the check of queries.
struct CallParameter: Sendable {
    enum Location: String, Sendable { case path, query, header }

    let name: String
    let location: Location
    let description: String
    let schema: JSONValue
    /// Whether it is a filter, which may be negated by a leading `!`; the handler checks the names of filters.
    var isFilter = false

    static func path(_ name: String, _ description: String, schema: JSONValue = ["type": "string"]) -> CallParameter {
        CallParameter(name: name, location: .path, description: description, schema: schema)
    }

    static func query(_ name: String, _ description: String, schema: JSONValue) -> CallParameter {
        CallParameter(name: name, location: .query, description: description, schema: schema)
    }

    static func integer(_ name: String, _ description: String, min: Int, default: Int? = nil) -> CallParameter {
        let range = [JSONMember("type", "integer"), JSONMember("minimum", .whole(min))]
        let more = `default`.map { [JSONMember("default", .whole($0))] } ?? []
        return .query(name, description, schema: .object(range + more))
    }

    static func flag(_ name: String, _ description: String) -> CallParameter {
        .query(name, description, schema: ["type": "boolean", "default": false])
    }

    /// A parameter of the query that may be given several times.
    static func repeated(
        _ name: String, _ description: String, each element: JSONValue = ["type": "string"], isFilter: Bool = false
    ) -> CallParameter {
        CallParameter(
            name: name, location: .query, description: description, schema: ["type": "array", "items": element],
            isFilter: isFilter)
    }

    static func header(_ name: String, _ description: String, schema: JSONValue) -> CallParameter {
        CallParameter(name: name, location: .header, description: description, schema: schema)
    }

    /// The keys of a list's filters, each with what it means.
    static func sentences<Key: ParameterKey>(of _: Key.Type) -> [(name: String, sentence: String)] {
        Key.allCases.map { ($0.rawValue, $0.sentence) }
    }

    /// The filters of a list; each may be negated.
    static func filters<Key: ParameterKey>(_ description: String, for keys: Key.Type) -> CallParameter {
        filters(description, named: sentences(of: keys))
    }

    /// Filters with these names and sentences, with those of texts and a tilde, and with those that continue with a JSON
    /// pointer; each may be negated.
    static func filters(
        _ description: String, named keys: [(name: String, sentence: String)], ofTexts texts: [String] = [],
        withPointers pointerNames: [String] = []
    ) -> CallParameter {
        let patterns =
            ["^!(\(keys.map(\.name).joined(separator: "|")))$"]
            + (texts.isEmpty ? [] : ["^!?(\(texts.joined(separator: "|")))\(FilterName.partMark)$"])
            + (pointerNames.isEmpty ? [] : [#"^!?(\#(pointerNames.joined(separator: "|")))\."#])
        let values: JSONValue = ["type": "array", "items": ["type": "string"]]
        let properties = keys.map { key in
            JSONMember(
                key.name, .object((values.object ?? []) + [JSONMember("description", .string(key.sentence))]))
        }
        return CallParameter(
            name: "filters", location: .query, description: description + "; each may be negated with a leading !.",
            schema: [
                "type": "object", "properties": .object(properties),
                "patternProperties": .object(patterns.map { JSONMember($0, values) }), "additionalProperties": false,
            ],
            isFilter: true)
    }

    // Parameters that several routes share.
    static let device = path("id", "The device's id.")
    static let topic = path("topic", "The app's topic.")
    static let sequence = path("sequence", "The push's sequence number.", schema: ["type": "integer", "minimum": 1])

    static let cursor = query(
        "cursor", "nextCursor of the previous page, with the same filters.", schema: ["type": "string"])
    static let wait = query(
        "wait", "How long the answer may be held, in wall time, at most 60s.", schema: .reference("Duration"))
    static let count = integer(
        "count", "With wait: how many items must match. It means nothing without wait.", min: 1, default: 1)

    static let filters = filters(
        "Any filter key: " + FilterKey.names.joined(separator: ", ")
            + "; with a tilde behind it, as in topic~=example, the value is a part of the field's text",
        named: FilterKey.allCases.map { ($0.rawValue, $0.sentence) },
        ofTexts: FilterKey.textNames, withPointers: FilterKey.pointerNames)
    static let deviceFilters = filters(
        DeviceFilter.names.joined(separator: ", ")
            + "; fleet is the ID given with count; an empty fleet, scope or user is none",
        for: DeviceFilterKey.self)
    static let filterLine = query(
        "q",
        """
        Filters in one line: bare words search the payload's text, "a phrase", key:value, -key:value, \
        payload:/aps/category:NEWS, screen:/title:Hello, webPush:/ttl:60; key~:part and payload:/aps/alert/body~:part find a part of a \
        text.
        """, schema: ["type": "string"])
}
