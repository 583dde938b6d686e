internal import APNsRules
internal import MynahCore

/// A parameter of a call, as its route declares it for the OpenAPI document and for the check of queries.
struct CallParameter: Sendable {
    enum Location: String, Sendable { case path, query, header }

    let name: String
    let location: Location
    /// What it means, in the words that a command's option has too.
    let sentence: String
    /// How it is written in a URL, which a command does by itself; it is in place of the sentence's period.
    var urlForm = ""
    let schema: JSONValue
    /// What its value may be, where ``schema`` doesn't say all of that by itself.
    var form: Form?
    /// The filters that it stands for, as members; empty for a parameter of its own name.
    var filters: [Member] = []
    /// Whether it is a filter, which may be negated by a leading `!`; the handler checks the names of filters.
    var isFilter = false

    /// The sentence, with how the parameter is written in a URL.
    var description: String { urlForm.isEmpty ? sentence : sentence.dropLast() + urlForm }

    /// The parameter as a member of what the call is sent, or its filters as members.
    var members: [Member] {
        filters.isEmpty
            ? [Member(name, form ?? .anyText, summary: sentence, default: schema["default"])] : filters
    }

    static func path(
        _ name: String, _ sentence: String, urlForm: String = "", schema: JSONValue = ["type": "string"]
    ) -> CallParameter {
        CallParameter(name: name, location: .path, sentence: sentence, urlForm: urlForm, schema: schema)
    }

    static func query(_ name: String, _ sentence: String, schema: JSONValue, form: Form? = nil) -> CallParameter {
        CallParameter(name: name, location: .query, sentence: sentence, schema: schema, form: form)
    }

    static func integer(
        _ name: String, _ sentence: String, urlForm: String = "", min: Int, default: Int? = nil
    ) -> CallParameter {
        let range = [JSONMember("type", "integer"), JSONMember("minimum", .whole(min))]
        let more = `default`.map { [JSONMember("default", .whole($0))] } ?? []
        return CallParameter(
            name: name, location: .query, sentence: sentence, urlForm: urlForm, schema: .object(range + more))
    }

    static func flag(_ name: String, _ sentence: String) -> CallParameter {
        .query(name, sentence, schema: ["type": "boolean", "default": false])
    }

    /// A parameter of the query that may be given several times.
    static func repeated(
        _ name: String, _ sentence: String, urlForm: String = "", each element: JSONValue = ["type": "string"],
        form: Form? = nil, isFilter: Bool = false
    ) -> CallParameter {
        CallParameter(
            name: name, location: .query, sentence: sentence, urlForm: urlForm,
            schema: ["type": "array", "items": element], form: form, isFilter: isFilter)
    }

    static func header(_ name: String, _ sentence: String, schema: JSONValue) -> CallParameter {
        CallParameter(name: name, location: .header, sentence: sentence, schema: schema)
    }

    /// The keys of a list's filters, each with what it means and what its value may be.
    static func members<Key: ParameterKey>(of _: Key.Type) -> [Member] {
        Key.allCases.map { Member($0.rawValue, $0.form ?? .anyText, summary: $0.sentence) }
    }

    /// The filters of a list; each may be negated.
    static func filters<Key: ParameterKey>(_ sentence: String, for keys: Key.Type) -> CallParameter {
        filters(sentence, named: members(of: keys))
    }

    /// Filters with these names and sentences, with those of texts and a tilde, and with those that continue with a JSON
    /// pointer; each may be negated.
    static func filters(
        _ sentence: String, named keys: [Member], ofTexts texts: [String] = [],
        withPointers pointerNames: [String] = []
    ) -> CallParameter {
        let patterns =
            ["^!(\(keys.map(\.name).joined(separator: "|")))$"]
            + (texts.isEmpty ? [] : ["^!?(\(texts.joined(separator: "|")))\(FilterName.partMark)$"])
            + (pointerNames.isEmpty ? [] : [#"^!?(\#(pointerNames.joined(separator: "|")))\."#])
        let values: JSONValue = ["type": "array", "items": ["type": "string"]]
        let properties = keys.map { key in
            JSONMember(
                key.name, .object((values.object ?? []) + [JSONMember("description", .string(key.summary))]))
        }
        return CallParameter(
            name: "filters", location: .query, sentence: sentence + "; each may be negated with a leading !.",
            schema: [
                "type": "object", "properties": .object(properties),
                "patternProperties": .object(patterns.map { JSONMember($0, values) }), "additionalProperties": false,
            ],
            filters: keys, isFilter: true)
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
        named: FilterKey.allCases.map { Member($0.rawValue, .anyText, summary: $0.sentence) },
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
