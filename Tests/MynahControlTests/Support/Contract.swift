import APNsRules
import Testing

@testable import MynahControl

/// Checks answers against the OpenAPI document.
///
/// Knows only the keywords of JSON Schema that the document uses; an unknown one fails the test, so that all of them are
/// checked. Members that no schema names are left to the Python tests, which also call every endpoint.
struct Contract: Sendable {
    static let shared: Contract = {
        guard let document = try? JSONValue(parsing: ServerRoutes.openAPI) else {
            preconditionFailure("the document is not JSON")
        }
        return Contract(document: document)
    }()

    // Keywords that don't affect validity.
    private static let annotations: Set<String> = [
        "description", "default", "examples", "format", "contentEncoding", "unevaluatedProperties",
    ]

    let document: JSONValue

    /// The violation in an answer, or `nil`.
    func fault(of answer: HTTPCaller.Answer, to method: String, _ target: String) -> String? {
        let path = target.prefix { $0 != "?" }
        guard let operation = operation(method, String(path)) else { return nil }
        guard let response = operation["responses"]?[String(answer.status)].map({ resolved($0) }) else {
            return "\(method) \(path) answered \(answer.status), which is not documented: \(answer.text)"
        }
        guard method != "HEAD", let content = response["content"] else { return nil }
        let type = answer.headers.first(name: "content-type")?.split(separator: ";").first.map { String($0) } ?? ""
        guard let schema = content[type]?["schema"] else {
            return "\(method) \(path) answered \(answer.status) as \(type), which is not documented"
        }
        guard let documents = Contract.documents(in: answer, type) else { return nil }
        for text in documents {
            guard let value = try? JSONValue(parsing: text) else {
                return "\(method) \(path) answered no JSON: \(answer.text)"
            }
            if let fault = fault(of: value, schema, at: "") {
                return "\(method) \(path) answered \(answer.status): \(fault)"
            }
        }
        return nil
    }

    // The JSON documents of a body, one per line for JSON lines; `nil` if it isn't JSON.
    private static func documents(in answer: HTTPCaller.Answer, _ type: String) -> [[UInt8]]? {
        if type == "application/x-ndjson" { return answer.body.split(separator: UInt8(ascii: "\n")).map { Array($0) } }
        return type.hasSuffix("json") ? [answer.body] : nil
    }

    private func operation(_ method: String, _ path: String) -> JSONValue? {
        let method = method == "HEAD" ? "GET" : method
        let given = RouteTable.parts(path)
        for candidate in document["paths"]?.object ?? [] {
            let parts = RouteTable.parts(candidate.name)
            guard parts.count == given.count,
                zip(parts, given).allSatisfy({ $0 == $1 || ($0.hasPrefix("{") && !$1.isEmpty) }),
                let operation = candidate.value[method.lowercased()]
            else { continue }
            return operation
        }
        return nil
    }

    private func resolved(_ part: JSONValue) -> JSONValue {
        guard let reference = part["$ref"]?.string else { return part }
        let steps = reference.dropFirst(2).split(separator: "/").map { String($0) }
        return steps.reduce(Optional(document)) { $0?[$1] } ?? .null
    }

    // MARK: Schemas

    /// The violation in a value, or `nil`.
    func fault(of value: JSONValue, _ schema: JSONValue, at place: String) -> String? {
        for keyword in schema.object ?? [] {
            if let fault = fault(of: value, keyword, in: schema, at: place) { return fault }
        }
        return nil
    }

    private func fault(
        of value: JSONValue, _ keyword: JSONMember, in schema: JSONValue, at place: String
    ) -> String? {
        // Only errors get text, because a page of pushes is long.
        var given: String { "\(place): \(value.encodedText.prefix(200))" }
        switch keyword.name {
        case "$ref": return fault(of: value, resolved(schema), at: place)
        case "type":
            let types = keyword.value.array?.compactMap(\.string) ?? [keyword.value.string ?? ""]
            return types.contains { Contract.isOf($0, value) } ? nil : "\(given) is not \(types)"
        case "enum": return keyword.value.array?.contains(value) == true ? nil : "\(given) is not allowed"
        case "const": return keyword.value == value ? nil : "\(given) is not \(keyword.value.encodedText)"
        case "required":
            let missing = (keyword.value.array ?? []).compactMap(\.string).first { value[$0] == nil }
            return value.object == nil ? nil : missing.map { "\(place): \($0) is missing" }
        case "properties", "additionalProperties": return faultOfMembers(value, keyword, schema, place)
        case "items":
            for (index, element) in (value.array ?? []).enumerated() {
                if let fault = fault(of: element, keyword.value, at: "\(place)/\(index)") { return fault }
            }
            return nil
        case "allOf":
            return (keyword.value.array ?? []).lazy.compactMap { fault(of: value, $0, at: place) }.first
        case "oneOf":
            let fitting = (keyword.value.array ?? []).count { fault(of: value, $0, at: place) == nil }
            return fitting == 1 ? nil : "\(given) fits \(fitting) of oneOf"
        case "anyOf":
            let fits = (keyword.value.array ?? []).contains { fault(of: value, $0, at: place) == nil }
            return fits ? nil : "\(given) fits none of anyOf"
        case "pattern":
            guard let text = value.string else { return nil }
            guard let pattern = keyword.value.string.flatMap({ try? Regex($0) }) else { return "no pattern" }
            return text.firstMatch(of: pattern) == nil ? "\(given) does not match \(keyword.value.encodedText)" : nil
        case "minimum": return (number(value) ?? .infinity) < (number(keyword.value) ?? 0) ? "\(given) is too low" : nil
        case "exclusiveMinimum":
            return (number(value) ?? .infinity) <= (number(keyword.value) ?? 0) ? "\(given) is too low" : nil
        case "maximum":
            return (number(value) ?? -.infinity) > (number(keyword.value) ?? 0) ? "\(given) is too high" : nil
        case "minLength", "minItems":
            let length = value.string?.unicodeScalars.count ?? value.array?.count
            return (length ?? .max) < count(keyword.value) ? "\(given) is too short" : nil
        case "minProperties": return (value.object?.count ?? .max) < count(keyword.value) ? "\(given) has too few" : nil
        case "maxProperties": return (value.object?.count ?? 0) > count(keyword.value) ? "\(given) has too many" : nil
        case "maxLength", "maxItems":
            let length = value.string?.unicodeScalars.count ?? value.array?.count
            return (length ?? 0) > count(keyword.value) ? "\(given) is too long" : nil
        default:
            return Contract.annotations.contains(keyword.name) ? nil : "\(place): \(keyword.name) is not checked"
        }
    }

    private func faultOfMembers(
        _ value: JSONValue, _ keyword: JSONMember, _ schema: JSONValue, _ place: String
    ) -> String? {
        for member in value.object ?? [] {
            let own = schema["properties"]?[member.name]
            let part = keyword.name == "properties" ? own : own == nil ? keyword.value : nil
            if part == .bool(false) { return "\(place)/\(member.name) is not allowed" }
            if let part, let fault = fault(of: member.value, part, at: "\(place)/\(member.name)") { return fault }
        }
        return nil
    }

    private func count(_ value: JSONValue) -> Int { Int(value.integer ?? 0) }

    private func number(_ value: JSONValue) -> Double? {
        guard case .number(let number) = value else { return nil }
        return number.double
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): number.integer != nil || number.double == number.double.rounded()
        default: false
        }
    }
}
