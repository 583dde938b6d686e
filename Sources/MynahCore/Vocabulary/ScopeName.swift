/// The name of a scope: what lets tests share one server (`ControlAPI#Scopes`).
package enum ScopeName {
    /// Bytes of a name.
    package static let bytesMax = 64

    /// Refuses a text that is none.
    ///
    /// - Throws: ``QueryError`` of `field`.
    package static func check(_ text: String, at field: String) throws(QueryError) {
        guard isWellFormed(text) else { throw QueryError(field, problem(text)) }
    }

    /// What is wrong with a text that is none, and what would be right.
    package static func problem(_ text: String) -> String {
        "scope is \"\(text)\"; it is 1 to \(bytesMax) letters, digits, periods, hyphens and underscores"
    }

    /// Whether a text is one: 1 to ``bytesMax`` of `[A-Za-z0-9._-]`.
    package static func isWellFormed(_ text: String) -> Bool {
        guard (1...bytesMax).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2D, 0x5F: true
            default: false
            }
        }
    }
}
