/// The host and port of a `Host` field or an origin.
struct Authority: Equatable, Sendable {
    /// The host as written; an IPv6 address keeps its brackets.
    let host: String
    /// The port, if given.
    let port: Int?

    /// Reads `host`, `host:port`, `[address]` or `[address]:port`.
    init?(_ text: String) {
        let hostEnd: String.Index
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            hostEnd = text.index(after: bracket)
        } else {
            hostEnd = text.firstIndex(of: ":") ?? text.endIndex
        }
        host = String(text[..<hostEnd])
        let rest = text[hostEnd...]
        guard !host.isEmpty else { return nil }
        if rest.isEmpty {
            port = nil
        } else {
            guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(rest.dropFirst())
            else { return nil }
            port = Int(number)
        }
    }
}
