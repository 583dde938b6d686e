package import APNsRules

/// A document that calls take, described once beside the type that is read from it.
package struct RequestDocument: Sendable {
    /// The name under which the OpenAPI document has it.
    package let name: String
    package let schema: Schema
    /// A document that the server accepts.
    package let example: JSONValue

    package init(_ name: String, _ schema: Schema, example: JSONValue) {
        self.name = name
        self.schema = schema
        self.example = example
    }
}
