internal import APNsRules
internal import MynahCore

extension Schema {
    /// The schema of an answer, or of a request's body, which has no other members.
    func openAPI(isAnswer: Bool = false, description: String? = nil) -> JSONValue {
        isAnswer
            ? .object(required: members.filter { !$0.isOptional }.map(\.name), properties: answerProperties)
            : .object(
                required: members.filter(\.isRequired).map(\.name), properties: requestProperties(), isClosed: true,
                description: description)
    }

    /// The members of a request, of which ``Member/mayBeNull`` says whether `null` counts as absent.
    /// - Parameter withoutNull: Members that may be absent but not `null`.
    func requestProperties(withoutNull: Set<String> = []) -> [JSONMember] {
        members.map { $0.openAPI(isNullable: $0.mayBeNull && !withoutNull.contains($0.name), isAnswer: false) }
    }

    /// The members of an answer, which are `null` only where their form says so.
    var answerProperties: [JSONMember] { members.map { $0.openAPI(isNullable: false, isAnswer: true) } }
}

extension JSONValue {
    /// The JSON Schema of an object; a closed one has no other members.
    static func object(
        required: [String], properties: [JSONMember], isClosed: Bool = false, description: String? = nil
    ) -> JSONValue {
        .present([
            "type": "object", "description": description.map { .string($0) },
            "required": required.isEmpty ? .none : .texts(required),
            "additionalProperties": isClosed ? false : .none, "properties": .object(properties),
        ])
    }

    /// An object with the members that have a value.
    static func present(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}

extension Member {
    fileprivate func openAPI(isNullable: Bool, isAnswer: Bool) -> JSONMember {
        let form = form.openAPI(isNullable: isNullable, isAnswer: isAnswer).object ?? []
        let more = JSONValue.present([
            "default": isAnswer || !self.form.hasPlainDefault ? .none : standard,
            "description": summary.isEmpty ? .none : .string(summary),
            "examples": examples.isEmpty ? .none : .array(examples),
        ])
        return JSONMember(name, .object(form + (more.object ?? [])))
    }
}

/// Without it some generators of clients take 32 bits, and lose the end of a time in seconds.
private let double = JSONMember("format", "double")

extension Form {
    func openAPI(isNullable: Bool = false, isAnswer: Bool = false) -> JSONValue {
        func typed(_ name: String, _ rest: [JSONMember] = []) -> JSONValue {
            .object([JSONMember("type", isNullable ? [.string(name), "null"] : .string(name))] + rest)
        }
        func bounds<Bound: FixedWidthInteger>(
            _ least: String, _ most: String, of range: ClosedRange<Bound>, unsaid: Bound
        ) -> [JSONMember] {
            (range.lowerBound == unsaid ? [] : [JSONMember(least, .whole(range.lowerBound))])
                + (range.upperBound == .max ? [] : [JSONMember(most, .whole(range.upperBound))])
        }
        func alternatives(_ forms: [JSONValue], _ keyword: String = "anyOf") -> JSONValue {
            .object([JSONMember(keyword, .array(forms + (isNullable ? [["type": "null"]] : [])))])
        }
        func part(_ form: Form) -> JSONValue { form.openAPI(isAnswer: isAnswer) }
        // What openapi-generator makes for TypeScript of an enumeration beside an object doesn't compile.
        func alternative(_ form: Form) -> JSONValue {
            guard case .choice(let names) = form, names.count == 1 else { return part(form) }
            return ["type": "string", "const": .string(names[0])]
        }
        switch self {
        case .any(nil): return [:]
        case .any(let name?), .named(let name, _):
            return isNullable ? alternatives([.reference(name)]) : .reference(name)
        case .types(let types):
            let names = types.map(\.rawValue) + (isNullable ? ["null"] : [])
            return ["type": names.count == 1 ? .string(names[0]) : .texts(names)]
        case .bool: return typed("boolean")
        case .integer(let range): return typed("integer", bounds("minimum", "maximum", of: range, unsaid: .min))
        case .number: return typed("number", [double])
        case .fraction:
            return typed("number", [double, JSONMember("exclusiveMinimum", 0), JSONMember("maximum", 1)])
        case .text(let range): return typed("string", bounds("minLength", "maxLength", of: range, unsaid: 0))
        case .name(_, let bytesMax, let punctuation):
            // The hyphen comes last in each, as a character class wants it.
            return typed("string", [JSONMember("pattern", .string("^[A-Za-z0-9\(punctuation)]{1,\(bytesMax)}$"))])
        case .hexadecimal: return typed("string", [JSONMember("pattern", "^([0-9A-Fa-f]{2})+$")])
        case .choice(let names):
            let choice: JSONValue = ["type": "string", "enum": .texts(names)]
            return isNullable ? alternatives([choice]) : choice
        case .duration: return isNullable ? alternatives([.reference("Duration")]) : .reference("Duration")
        case .time: return typed("string", [JSONMember("format", "date-time")])
        case .array(let form, let range):
            let members = bounds("minItems", "maxItems", of: range, unsaid: 0)
            return typed("array", members + [JSONMember("items", part(form))])
        case .map(let form, let countMax):
            let members = bounds("minProperties", "maxProperties", of: 0...countMax, unsaid: 0)
            return typed("object", members + [JSONMember("additionalProperties", part(form))])
        case .object(let schema):
            let object = schema.openAPI(isAnswer: isAnswer)
            return isNullable ? alternatives([object]) : object
        case .nullable(let form): return form.openAPI(isNullable: true, isAnswer: isAnswer)
        // No value has both forms. Of alternatives that a value may have at once, generators of clients make less.
        case .either(let first, let second): return alternatives([first, second].map(alternative), "oneOf")
        case .described(let form, let summary):
            let form = form.openAPI(isNullable: isNullable, isAnswer: isAnswer)
            return .object((form.object ?? []) + [JSONMember("description", .string(summary))])
        }
    }

    /// Whether generators of clients take a default: not that of an object, where absence means the same, nor of one that
    /// may also have another form.
    fileprivate var hasPlainDefault: Bool {
        switch self {
        case .object, .map, .either: false
        case .described(let form, _), .nullable(let form): form.hasPlainDefault
        default: true
        }
    }
}
