/// The name of a scope, by which tests share one server (`ControlAPI#Scopes`).
package enum ScopeName {
    package static let bytesMax = 64

    /// What is wrong with a text that is not well-formed, and what was expected.
    package static func problem(_ text: String) -> String {
        "scope is \"\(text)\"; it is 1 to \(bytesMax) letters, digits, periods, hyphens and underscores"
    }

    /// Whether a text is 1 to ``bytesMax`` of `[A-Za-z0-9._-]`.
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
