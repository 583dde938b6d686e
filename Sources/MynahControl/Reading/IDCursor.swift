internal import APNsRules

/// Where the next page of a list begins whose items have ids; opaque to callers.
struct IDCursor: Equatable, Sendable {
    /// The last id of the page before.
    let id: String

    /// As it stands in `nextCursor`.
    var text: String { Base64.encode(Array(id.utf8), url: true) }
}

extension IDCursor {
    /// Reads what ``text`` wrote, and nothing else.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8)?.bytes, !bytes.isEmpty,
            let id = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(id: id)
        guard self.text == text else { return nil }
    }
}

extension QueryString {
    /// Takes where a page begins, by what reads such a cursor.
    ///
    /// - Throws: ``Problem`` when it is there and `read` finds none in it.
    mutating func takeCursor<Place>(_ read: (String) -> Place?) throws(Problem) -> Place? {
        guard let text = try take("cursor") else { return nil }
        guard let place = read(text) else {
            throw Problem(
                .invalidParameter, "cursor is \(text); take it from nextCursor of the page before", field: "cursor")
        }
        return place
    }
}
