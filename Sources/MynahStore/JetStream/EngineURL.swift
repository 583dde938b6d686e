/// The URL of a node of NATS, such as `nats://host:4222` or `tls://user:password@[::1]:4222`.
package struct EngineURL: Sendable, Equatable {
    private static let schemes = ["nats://", "tls://"]

    private let scheme: String
    /// The host and the port.
    private let place: Substring
    /// A name or an address, without brackets.
    package let host: String

    /// Reads a URL with a scheme that NATS has, a host, a port from 1 to 65535 or none, and no path; `nil` for any other.
    package init?(_ text: String) {
        guard let scheme = EngineURL.schemes.first(where: { text.hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard !rest.contains("/"), !rest.contains(where: \.isWhitespace) else { return nil }
        let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        let bracket = place.lastIndex(of: "]")
        let colon = place[(bracket ?? place.startIndex)...].lastIndex(of: ":")
        if let colon {
            guard let port = UInt16(place[place.index(after: colon)...]), port > 0 else { return nil }
        }
        let name = place[..<(colon ?? place.endIndex)]
        let host = name.hasPrefix("[") ? name.dropFirst().prefix { $0 != "]" } : name
        guard !host.isEmpty else { return nil }
        self.scheme = scheme
        self.place = place
        self.host = String(host)
    }

    /// The URL without a user and a password.
    package var shown: String { scheme + place }
}
