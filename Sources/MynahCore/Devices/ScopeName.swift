/// The name of a scope: what lets tests share one server (`control-api.md`, *Scopes*).
package enum ScopeName {
    /// Bytes of a name.
    package static let bytesMax = 64

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
