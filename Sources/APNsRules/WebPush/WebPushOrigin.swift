/// The origin of an endpoint, which the `aud` of a token names (RFC 8292 §2, RFC 6454 §6.1); the scheme is `https`.
package struct WebPushOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The port that an origin doesn't name.
    package static let defaultPort = 443
    /// Apple's.
    package static let apple = WebPushOrigin(host: "web.push.apple.com")

    /// In lower case.
    package let host: String
    package let port: Int

    package init(host: String, port: Int = WebPushOrigin.defaultPort) {
        self.host = host.lowercased()
        self.port = port
    }

    /// Reads a host with or without a port, as in `:authority`; `nil` for any other text.
    package init?(authority: some StringProtocol) {
        let (host, port) = WebPushOrigin.parts(of: authority)
        guard !host.isEmpty, !authority.contains(where: { "/@ \t?#".contains($0) }) else { return nil }
        guard let port else {
            self.init(host: String(host))
            return
        }
        // `Int` takes a sign as well.
        guard port.utf8.allSatisfy(\.isASCIIDigit), let number = Int(port),
            (1...65_535).contains(number)
        else { return nil }
        self.init(host: String(host), port: number)
    }

    /// The host and the port's text; an IPv6 address keeps its brackets.
    static func parts<Text: StringProtocol>(of authority: Text) -> (host: Text.SubSequence, port: Text.SubSequence?) {
        let colon = authority.lastIndex(of: ":")
        guard let colon, authority[colon...].firstIndex(of: "]") == nil else { return (authority[...], nil) }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    /// `https://`, host and port, as a subscription's endpoint begins.
    package var description: String {
        "https://\(host)" + (port == WebPushOrigin.defaultPort ? "" : ":\(port)")
    }
}
