internal import APNsRules

/// The name of a scope: what lets tests share one server (`ControlAPI#Scopes`).
package enum ScopeName {
    /// Bytes of a name.
    package static let bytesMax = 64

    /// Refuses a text that is no scope's name: 1 to ``bytesMax`` of `[A-Za-z0-9._-]`.
    ///
    /// - Throws: ``InputError`` of `field`.
    package static func check(_ text: String, at field: String) throws(InputError) {
        try Form.name(bytesMax: bytesMax).check(.string(text), at: field)
    }

    /// Whether a text is a scope's name.
    package static func isWellFormed(_ text: String) -> Bool { Form.isName(text, bytesMax: bytesMax) }
}
