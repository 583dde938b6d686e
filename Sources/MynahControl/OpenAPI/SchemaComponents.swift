internal import APNsRules

/// The schemas of the document, in which each object and each enumeration is a component with a name of its own.
///
/// Generators of clients make a type of each component. For an object or an enumeration inside of another schema they
/// make up a name, sometimes the same one twice, or they leave it out. Schemas that say the same are one component.
struct SchemaComponents {
    private static let annotations: Set<String> = ["description", "default", "examples"]

    private(set) var members: [JSONMember] = []
    // The name of each component by what its schema says.
    private var names: [JSONValue: String] = [:]

    /// Components with these names; the names of what is inside of them begin with theirs.
    init(_ schemas: [JSONMember]) {
        // All come first, so that a copy inside of another schema becomes a reference.
        for schema in schemas where SchemaComponents.needsName(schema.value) {
            names[SchemaComponents.bare(schema.value)] = schema.name
        }
        for schema in schemas { add(schema.value, as: schema.name) }
    }

    /// The schema of a member or a parameter, or the reference to the component that it becomes.
    mutating func named(_ schema: JSONValue, _ name: String) -> JSONValue {
        guard SchemaComponents.needsName(schema) else { return content(of: schema, in: name) }
        let bare = SchemaComponents.bare(schema)
        if names[bare] == nil {
            names[bare] = name
            add(bare, as: name)
        }
        let annotations = (schema.object ?? []).filter { SchemaComponents.annotations.contains($0.name) }
        return .object((JSONValue.reference(names[bare] ?? name).object ?? []) + annotations)
    }

    private mutating func add(_ schema: JSONValue, as name: String) {
        precondition(!members.contains { $0.name == name }, "two schemas of the OpenAPI document are called \(name)")
        let place = members.count
        members.append(JSONMember(name, .null))
        let content = content(of: schema, in: name, isComponent: true)
        members[place] = JSONMember(name, OpenAPIDocument.described(content, in: name))
    }

    /// The schema with references in place of the objects and enumerations inside of it.
    private mutating func content(of schema: JSONValue, in name: String, isComponent: Bool = false) -> JSONValue {
        guard let keywords = schema.object else { return schema }
        return .object(
            keywords.map { keyword in
                let value: JSONValue =
                    switch keyword.name {
                    case "properties":
                        .object(
                            (keyword.value.object ?? []).map { member in
                                let memberName = member.name.prefix(1).uppercased() + member.name.dropFirst()
                                return JSONMember(member.name, named(member.value, name + memberName))
                            })
                    case "items", "additionalProperties": named(keyword.value, name)
                    case "anyOf", "oneOf":
                        .array(
                            (keyword.value.array ?? []).map { part in
                                // With another form beside it, the object has to have another name than the two together.
                                let isUnion = isComponent || keyword.name == "oneOf"
                                let suffix = part["enum"] != nil ? "Name" : isUnion ? "Object" : ""
                                return named(part, name + suffix)
                            })
                    default: keyword.value
                    }
                return JSONMember(keyword.name, value)
            })
    }

    private static func needsName(_ schema: JSONValue) -> Bool {
        schema["properties"] != nil || schema["enum"] != nil
    }

    private static func bare(_ schema: JSONValue) -> JSONValue {
        .object((schema.object ?? []).filter { !annotations.contains($0.name) })
    }
}
