internal import APNsRules

/// Where the next page begins of a list whose items have IDs; opaque to callers.
struct IDCursor: Equatable, Sendable {
    /// The last ID of the previous page.
    let id: String

    /// As written in `nextCursor`.
    var text: String { Base64.encode(Array(id.utf8), url: true) }
}

extension IDCursor {
    /// Reads ``text``; `nil` for any other string.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8)?.bytes, !bytes.isEmpty,
            let id = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(id: id)
        guard self.text == text else { return nil }
    }
}
