internal import HTTPTypes

/// The members of a list other than its items, as header fields of JSON lines.
enum ListHeaders {
    static let nextCursor = HTTPField.Name.known("Mynah-Next-Cursor")
    static let matched = HTTPField.Name.known("Mynah-Matched")
    static let timedOut = HTTPField.Name.known("Mynah-Timed-Out")
    static let evicted = HTTPField.Name.known("Mynah-Evicted")
    static let lastSequence = HTTPField.Name.known("Mynah-Last-Sequence")

    static let all = [nextCursor, matched, timedOut, evicted, lastSequence]
}

extension HTTPField.Name {
    /// A well-formed name that is written in this module.
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a field name in the source is malformed") }
        return name
    }
}
