internal import APNsRules

/// The name of a scope, by which tests share one server (`ControlAPI#Scopes`).
package enum ScopeName {
    package static let form = Form.name("a scope name", bytesMax: 64)

    package static func check(_ text: String, at field: String) throws(InputError) {
        try form.check(.string(text), at: field)
    }
}
