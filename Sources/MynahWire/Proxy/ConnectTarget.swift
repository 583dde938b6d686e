internal import APNsRules
internal import NIOCore

/// The target of a CONNECT: a host and a port, both required (RFC 9110 §9.3.6, RFC 9112 §3.2.3).
package struct ConnectTarget: Hashable, Sendable, CustomStringConvertible {
    /// Octets of a DNS name in text (RFC 1035 §3.1, less the root's).
    private static let nameBytesMax = 253
    /// Octets of a label (RFC 1035 §2.3.4).
    private static let labelBytesMax = 63

    /// A name in lower case without the root's dot, or an address in its usual form without brackets.
    package let host: String
    /// The port, from 1 to 65,535.
    package let port: Int

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ConnectTarget {
    /// Reads `name:port`, `address:port` or `[address]:port`; any other text is refused with status 400.
    init(_ text: String) throws(ProxyRefusal) {
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else {
            throw ConnectTarget.refusal(text, "has no port")
        }
        let digits = text[text.index(after: colon)...]
        // UInt16 alone would accept a plus sign.
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits), port > 0
        else { throw ConnectTarget.refusal(text, "has no port from 1 to 65535") }
        self.port = Int(port)
        self.host = try ConnectTarget.host(text[..<colon], of: text)
    }

    private static func host(_ part: Substring, of text: String) throws(ProxyRefusal) -> String {
        if part.hasPrefix("[") {
            guard part.hasSuffix("]"), let address = ConnectTarget.address(part.dropFirst().dropLast(), .inet6)
            else { throw refusal(text, "has no IPv6 address in its brackets") }
            return address
        }
        var name = part.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...nameBytesMax).contains(name.utf8.count), labels.allSatisfy(isLabel), let last = labels.last
        else { throw refusal(text, "has no host name and no address before its port") }
        // A last label of digits makes it an address or nothing (RFC 3696 §2).
        guard last.utf8.allSatisfy(\.isASCIIDigit) else { return name }
        guard let address = ConnectTarget.address(name[...], .inet) else {
            throw refusal(text, "has an invalid IPv4 address")
        }
        return address
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...labelBytesMax).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy {
                $0.isASCIILowercase || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F
            }
    }

    private static func address(_ text: Substring, _ family: NIOBSDSocket.ProtocolFamily) -> String? {
        // The only error is that the text isn't an address.
        let address = try? SocketAddress(ipAddress: String(text), port: 0)
        return address?.protocol == family ? address?.ipAddress : nil
    }

    private static func refusal(_ text: String, _ problem: String) -> ProxyRefusal {
        ProxyRefusal(
            400, "the target \(ProxyRefusal.quoted(text)) \(problem)",
            remedy: "CONNECT takes host:port, as in CONNECT api.push.apple.com:443 HTTP/1.1")
    }
}
