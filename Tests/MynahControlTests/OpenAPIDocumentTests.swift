import APNsRules
import Testing

@testable import MynahControl

@Suite("The OpenAPI document")
struct OpenAPIDocumentTests {
    private let contract = Contract.shared
    private var document: JSONValue { contract.document }
    private var components: [JSONMember] { document["components"]?["schemas"]?.object ?? [] }

    private var operations: [(name: String, method: String, value: JSONValue)] {
        (document["paths"]?.object ?? []).flatMap { path in
            (path.value.object ?? []).map { ("\($0.name) \(path.name)", $0.name, $0.value) }
        }
    }

    /// The schemas inside of a schema, with itself.
    private func parts(of schema: JSONValue) -> [JSONValue] {
        let inner =
            (schema["properties"]?.object ?? []).map(\.value) + ((schema["anyOf"] ?? schema["oneOf"])?.array ?? [])
            + ["items", "additionalProperties"].compactMap { schema[$0] }.filter { $0.object != nil }
        return [schema] + inner.flatMap { parts(of: $0) }
    }

    @Test("each member and parameter has a description")
    func descriptions() throws {
        for component in components {
            for member in component.value["properties"]?.object ?? [] {
                let description = member.value["description"]?.string ?? ""
                #expect(description.hasSuffix("."), "\(component.name).\(member.name): \(description)")
            }
        }
        for operation in operations {
            for parameter in operation.value["parameters"]?.array ?? [] {
                let description = parameter["description"]?.string ?? ""
                #expect(description.hasSuffix("."), "\(operation.name) \(parameter["name"]?.string ?? "")")
            }
        }
    }

    @Test("each object and enumeration is a component, and each component's name is unique")
    func names() {
        let names = components.map(\.name)
        #expect(Set(names).count == names.count)
        for component in components {
            for part in parts(of: component.value).dropFirst() {
                #expect(part["properties"] == nil && part["enum"] == nil, "in \(component.name): \(part.encodedText)")
            }
        }
        for operation in operations {
            for parameter in operation.value["parameters"]?.array ?? [] {
                let schema = parameter["schema"] ?? .null
                #expect(
                    schema["properties"] == nil && schema["enum"] == nil, "\(operation.name): \(schema.encodedText)")
            }
        }
    }

    @Test("an array of matchers has the types that a matcher has, except the array")
    func matchers() throws {
        let schemas = try #require(document["components"]?["schemas"])
        let single = try #require(schemas["SingleMatcher"]?["oneOf"]?.array)
        let array: JSONValue = ["type": "array", "minItems": 1, "items": .reference("SingleMatcher")]
        #expect(schemas["Matcher"]?["oneOf"]?.array == single + [array])
    }

    @Test(
        "what names the types of its alternatives names all of them",
        arguments: ["SingleMatcher", "FaultSpecifications"])
    func typesOfAlternatives(name: String) throws {
        let schemas = try #require(document["components"]?["schemas"])
        let schema = try #require(schemas[name])
        let types = (schema["oneOf"]?.array ?? []).compactMap { alternative in
            let reference = alternative["$ref"]?.string?.split(separator: "/").last.map { String($0) }
            return (reference.flatMap { schemas[$0] } ?? alternative)["type"]?.string
        }
        #expect(Set(types) == Set((schema["type"]?.array ?? []).compactMap(\.string)), "\(name): \(types)")
    }

    @Test("a choice is of strings alone")
    func enumerations() {
        for component in components {
            for choice in component.value["enum"]?.array ?? [] { #expect(choice.string != nil, "\(component.name)") }
        }
    }

    /// A generated client sends defaults: in a change they would change what the caller did not name.
    @Test("the body of a change has no defaults")
    func changesHaveNoDefaults() throws {
        let changes = operations.filter { $0.method == "patch" }
        #expect(changes.count > 4)
        for operation in changes {
            let content = operation.value["requestBody"]?["content"]?["application/json"]
            let name = try #require(content?["schema"]?["$ref"]?.string?.split(separator: "/").last)
            let schema = try #require(components.first { $0.name == name }).value
            for member in schema["properties"]?.object ?? [] {
                #expect(member.value["default"] == nil, "\(operation.name): \(member.name)")
            }
        }
    }

    @Test("each operation has one tag, which the document describes, and a name that reads as code")
    func tags() {
        let described = (document["tags"]?.array ?? []).filter { $0["description"]?.string?.hasSuffix(".") == true }
        let names = described.compactMap { $0["name"]?.string }
        var used: Set<String> = []
        for operation in operations {
            let tags = operation.value["tags"]?.array?.compactMap(\.string) ?? []
            #expect(tags.count == 1 && names.contains(tags.first ?? ""), "\(operation.name): \(tags)")
            used.formUnion(tags)
            let id = operation.value["operationId"]?.string ?? ""
            #expect(id.wholeMatch(of: /[a-z][A-Za-z]+/) != nil, "\(operation.name): \(id)")
        }
        #expect(used == Set(names))
    }

    @Test("each body and each answer has an example that its schema allows")
    func examples() throws {
        var count = 0
        for operation in operations {
            let answers = (operation.value["responses"]?.object ?? []).filter { $0.name.hasPrefix("2") }
            let parts = answers.map { ($0.name, $0.value) } + [("body", operation.value["requestBody"] ?? .null)]
            for (name, part) in parts {
                for media in part["content"]?.object ?? [] {
                    let place = "\(operation.name) \(name) \(media.name)"
                    let example = try #require(media.value["example"], "\(place)")
                    let schema = try #require(media.value["schema"])
                    let fault = contract.fault(of: example, schema, at: "")
                    #expect(fault == nil, "\(place): \(fault ?? "")")
                    #expect(example != [:] && example != "", "\(place)")
                    count += 1
                }
            }
        }
        #expect(count > operations.count)
    }
}
