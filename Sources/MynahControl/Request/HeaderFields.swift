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

/// Fields of browsers that HTTPTypes doesn't name.
extension HTTPField.Name {
    static let accessControlAllowPrivateNetwork = known("Access-Control-Allow-Private-Network")
    static let accessControlRequestPrivateNetwork = known("Access-Control-Request-Private-Network")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let frameOptions = known("X-Frame-Options")
    static let lastEventID = known("Last-Event-ID")
    static let referrerPolicy = known("Referrer-Policy")
    static let secFetchDest = known("Sec-Fetch-Dest")
    static let secFetchSite = known("Sec-Fetch-Site")
    /// HTTPTypes removes the first `Host` from the fields and leaves further ones.
    static let secondHost = known("Host")

    /// A well-formed name that is written in this module.
    fileprivate static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a field name in the source is malformed") }
        return name
    }
}
