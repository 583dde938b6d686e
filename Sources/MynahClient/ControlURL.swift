/// The address of a control API: `http://`, a host, a port.
public struct ControlURL: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, without brackets.
    public let host: String
    /// The TCP port.
    public let port: Int

    /// A host and a port.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `http://HOST[:PORT][/]`; the default port is 80, as in every URL.
    ///
    /// - Throws: ``ClientError`` with ``ClientError/Code/unclearServer`` for another scheme, a path, or an invalid port.
    public init(_ text: String) throws(ClientError) {
        let expected = "expected a URL like \(ServerLocator.defaultURL)"
        guard text.lowercased().hasPrefix("http://") else {
            let hint = text.lowercased().hasPrefix("https://") ? "the control API speaks http, not https; " : ""
            throw ClientError(.unclearServer, "\"\(text)\" is not the address of a control API: \(hint)\(expected)")
        }
        var authority = text.dropFirst("http://".count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.contains(where: { "/?#@".contains($0) }) else {
            throw ClientError(.unclearServer, "\"\(text)\" has more than a host and a port: \(expected)")
        }
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
        }
        let port = rest.isEmpty ? 80 : rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
        guard !host.isEmpty, let port, (1...65_535).contains(port) else {
            throw ClientError(.unclearServer, "\"\(text)\" has no host, or an invalid port: \(expected)")
        }
        self.host = String(host)
        self.port = port
    }

    /// Host and port as in a `Host` header.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The URL without a path.
    public var description: String { "http://\(authority)" }
}
