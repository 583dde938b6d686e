/// A header field of a request or a reply.
package struct HTTPField: Hashable, Sendable {
    /// The name, in lower case; that of a pseudo-header begins with a colon.
    package let name: String
    /// The value, printable ASCII.
    package let value: String

    /// A field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
