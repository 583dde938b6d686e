internal import APNsRules

/// The origin of a page, as browsers send it in `Origin` (RFC 6454 §6).
struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// Reads `http://host` or `https://host:port`; `nil` for anything else, `null` and `*` included.
    init?(_ text: String) {
        let lower = text.lowercased()
        for (scheme, port) in [("http", 80), ("https", 443)] {
            let prefix = scheme + "://"
            guard lower.hasPrefix(prefix) else { continue }
            let rest = String(lower.dropFirst(prefix.count))
            guard let authority = Authority(rest), !rest.contains(where: { "/?#@* ".contains($0) }) else { return nil }
            self.scheme = scheme
            self.host = HostRule.normalized(authority.host)
            self.port = authority.port ?? port
            return
        }
        return nil
    }

    /// Whether this origin and the request's `Host` are the same server; the schemes may differ, because a proxy that
    /// adds TLS keeps `Host`.
    func isSameServer(as authority: Authority) -> Bool {
        HostRule.normalized(authority.host) == host && (authority.port ?? (scheme == "https" ? 443 : 80)) == port
    }
}

/// The host and port of a `Host` field or an origin.
struct Authority: Equatable, Sendable {
    /// The host as written; an IPv6 address keeps its brackets.
    let host: String
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
        let colon = text[hostEnd...].prefix(1)
        let digits = text[hostEnd...].dropFirst()
        port = UInt16(digits).map { Int($0) }
        let isPort = colon == ":" && digits.utf8.allSatisfy(\.isASCIIDigit) && port != nil
        guard !host.isEmpty, colon.isEmpty || isPort else { return nil }
    }
}
