internal import NIOCore

/// The addresses that only this machine reaches (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3).
package enum Loopback {
    /// Whether a host to bind, a name or an address with or without brackets, is reachable from this machine only.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        // Anything else is a name that may resolve to any address.
        return (try? SocketAddress(ipAddress: withoutBrackets(name), port: 0))?.isLoopback == true
    }

    /// The host, without the brackets that may be around an IPv6 address.
    static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

extension SocketAddress {
    var isLoopback: Bool {
        switch self {
        case .v4: ipAddress?.hasPrefix("127.") == true
        case .v6: ipAddress == "::1" || ipAddress?.hasPrefix("::ffff:127.") == true
        case .unixDomainSocket: true
        }
    }
}
