internal import APNsRules
internal import MynahCore

extension Schema {
    /// The properties of a request: each may be `null`, which counts as absent, unless it is required.
    var properties: JSONValue {
        .object(members.map { JSONMember($0.name, $0.openAPI(isNullable: !$0.isRequired)) })
    }

    /// The properties without braces, to be put among others.
    var propertiesText: String { String(properties.encodedText.dropFirst().dropLast()) }

    /// An object with these members alone.
    var openAPI: JSONValue {
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .object(
            [JSONMember("type", "object")] + (required.isEmpty ? [] : [JSONMember("required", .array(required))])
                + [JSONMember("additionalProperties", false), JSONMember("properties", properties)])
    }

    /// The names, as the `required` of an answer lists them.
    var required: String { JSONValue.array(names.map { .string($0) }).encodedText }
}

extension Member {
    fileprivate func openAPI(isNullable: Bool) -> JSONValue {
        var members = form.openAPI(isNullable: isNullable).object ?? []
        if let standard { members.append(JSONMember("default", standard)) }
        if !summary.isEmpty { members.append(JSONMember("description", .string(summary))) }
        return .object(members)
    }
}

extension Form {
    /// The form as JSON Schema.
    fileprivate func openAPI(isNullable: Bool) -> JSONValue {
        func typed(_ name: String, _ rest: [JSONMember] = []) -> JSONValue {
            .object([JSONMember("type", isNullable ? [.string(name), "null"] : .string(name))] + rest)
        }
        func bounds(_ least: String, _ most: String, _ range: ClosedRange<Int>) -> [JSONMember] {
            (range.lowerBound == 0 ? [] : [JSONMember(least, .number(JSONNumber(range.lowerBound)))])
                + (range.upperBound == .max ? [] : [JSONMember(most, .number(JSONNumber(range.upperBound)))])
        }
        func alternatives(_ forms: [JSONValue]) -> JSONValue {
            ["anyOf": .array(forms + (isNullable ? [["type": "null"]] : []))]
        }
        switch self {
        case .any(nil): return [:]
        case .any(let name?), .named(let name, _):
            let reference: JSONValue = ["$ref": .string("#/components/schemas/\(name)")]
            return isNullable ? alternatives([reference]) : reference
        case .bool: return typed("boolean")
        case .integer(let range):
            return typed(
                "integer",
                [JSONMember("minimum", .number(JSONNumber(range.lowerBound)))]
                    + (range.upperBound == .max ? [] : [JSONMember("maximum", .number(JSONNumber(range.upperBound)))]))
        case .fraction: return typed("number", [JSONMember("exclusiveMinimum", 0), JSONMember("maximum", 1)])
        case .text(let range): return typed("string", bounds("minLength", "maxLength", range))
        case .name(_, let bytesMax, let punctuation):
            // The hyphen comes last in each, as a character class wants it.
            return typed("string", [JSONMember("pattern", .string("^[A-Za-z0-9\(punctuation)]{1,\(bytesMax)}$"))])
        case .hexadecimal: return typed("string", [JSONMember("pattern", "^([0-9A-Fa-f]{2})+$")])
        case .choice(let names):
            return ["enum": .array(names.map { .string($0) } + (isNullable ? [.null] : []))]
        case .duration:
            return ["$ref": .string("#/components/schemas/\(isNullable ? "NullableDuration" : "Duration")")]
        case .time: return typed("string", [JSONMember("format", "date-time")])
        case .array(let form, let range):
            return typed(
                "array",
                bounds("minItems", "maxItems", range) + [JSONMember("items", form.openAPI(isNullable: false))])
        case .map(let form, let countMax):
            return typed(
                "object",
                bounds("minProperties", "maxProperties", 0...countMax)
                    + [JSONMember("additionalProperties", form.openAPI(isNullable: false))])
        case .object(let schema): return isNullable ? alternatives([schema.openAPI]) : schema.openAPI
        case .nullable(let form): return form.openAPI(isNullable: true)
        case .either(let first, let second):
            return alternatives([first.openAPI(isNullable: false), second.openAPI(isNullable: false)])
        }
    }

    /// A schema of its own.
    var openAPIText: String {
        if case .named(_, let form) = self { return form.openAPIText }
        return openAPI(isNullable: false).encodedText
    }
}
