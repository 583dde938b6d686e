/// Which values of `Host` are this server's own (`ControlAPI#Browser-safety`).
///
/// A page in a browser may let its own name point to 127.0.0.1 and then call the API as if it were its own
/// server; what it cannot do is to choose an address or a private name as `Host`.
struct HostRule: Sendable {
    /// Names below these resolve in no public DNS.
    static let privateSuffixes = [".localhost", ".local", ".internal", ".test"]

    private let names: Set<String>
    private let suffixes: [String]

    /// A rule that also allows these names, each with an optional `*.` in front.
    init(allowing allowed: [String]) {
        var names: Set<String> = []
        var suffixes: [String] = []
        for name in allowed.map({ HostRule.normalized($0) }) {
            if name.hasPrefix("*.") {
                suffixes.append(String(name.dropFirst()))
            } else {
                names.insert(name)
            }
        }
        self.names = names
        self.suffixes = HostRule.privateSuffixes + suffixes
    }

    /// Whether a `Host` value, with or without a port, is allowed.
    func allows(_ authority: String) -> Bool {
        guard let host = Authority(authority)?.host else { return false }
        if host.hasPrefix("[") { return HostRule.isIPv6(host.dropFirst().dropLast()) }
        let name = HostRule.normalized(host)
        guard !name.isEmpty, name.utf8.allSatisfy(HostRule.isNameByte) else { return false }
        if !name.contains(".") || HostRule.isIPv4(name) || names.contains(name) { return true }
        return suffixes.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }

    /// Lower case, without the dot that a full name may end with.
    static func normalized(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// Four decimal numbers up to 255 without leading zeros.
    static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return false }
        return parts.allSatisfy { part in
            guard part.count <= 3, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(part) else {
                return false
            }
            return String(value) == part
        }
    }

    /// Hexadecimal groups and colons, an IPv4 tail and a zone; what is not an address reaches nothing anyway,
    /// since no name has these bytes between brackets.
    private static func isIPv6(_ text: Substring) -> Bool {
        let address = text.prefix { $0 != "%" }
        return address.contains(":")
            && address.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66, 0x3A, 0x2E: true
                default: false
                }
            }
    }

    // Letters, digits, hyphen, dot; the underscore is in names of Compose services.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
