internal import APNsRules

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

    /// Reads `http://HOST[:PORT][/]`, by default with port 80, as in every URL; throws
    /// ``ClientError/Code/unclearServer`` for another scheme, a path, or an invalid port.
    public init(_ text: String) throws(ClientError) {
        let expected = "expected a URL like \(ServerLocator.defaultURL)"
        let shown = Secrets.withoutUser(text)
        guard text.lowercased().hasPrefix("http://") else {
            let hint = text.lowercased().hasPrefix("https://") ? "the control API speaks http, not https; " : ""
            throw ClientError(.unclearServer, "\"\(shown)\" is not the address of a control API: \(hint)\(expected)")
        }
        var authority = text.dropFirst("http://".count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.contains(where: { "/?#@".contains($0) }) else {
            throw ClientError(.unclearServer, "\"\(shown)\" has more than a host and a port: \(expected)")
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
            throw ClientError(.unclearServer, "\"\(shown)\" has no host, or an invalid port: \(expected)")
        }
        self.host = String(host)
        self.port = port
    }

    /// Host and port as in a URL or a `Host` header.
    package static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    var authority: String { ControlURL.authority(host, port) }
    /// The URL without a path.
    public var description: String { "http://\(authority)" }
}

/// A parameter of a URL: a filter key, `limit`, `after`, `wait` (`ControlAPI#Filters`).
public struct QueryItem: Hashable, Sendable {
    /// The key; with `!` in front it negates the filter.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// A parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// A path with a query; everything except RFC 3986's unreserved characters is percent-encoded.
    package static func target(_ path: String, _ items: [QueryItem]) -> String {
        guard !items.isEmpty else { return path }
        return path + "?" + items.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }

    /// Percent-encodes one component of a path or a query.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
