/// Which values of `Host` name this server (`ControlAPI#Browser-safety`).
///
/// Protects from DNS rebinding: a web page can point its own name to 127.0.0.1 and then call this API as its own
/// server, but its requests can't carry an address or a private name as `Host`.
struct HostRule: Sendable {
    /// Suffixes that no public DNS resolves.
    static let privateSuffixes = [".localhost", ".local", ".internal", ".test"]
    // With the underscore of Compose service names.
    private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-._".utf8)
    private let names: Set<String>
    private let suffixes: [String]

    /// A rule that also allows these names; a leading `*.` matches any name below.
    init(allowing allowed: [String]) {
        let allowed = allowed.map(HostRule.normalized)
        names = Set(allowed.filter { !$0.hasPrefix("*.") })
        suffixes = HostRule.privateSuffixes + allowed.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// Whether some `Host` value can be one that a setting allows: a name, or `*.` and one.
    static func canAllow(_ setting: String) -> Bool {
        let pattern = normalized(setting)
        let name = pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...]
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(nameBytes.contains) } || isIPv6(bare(name))
    }

    /// An IPv6 address without its brackets.
    private static func bare(_ name: Substring) -> Substring {
        name.hasPrefix("[") && name.hasSuffix("]") ? name.dropFirst().dropLast() : name
    }

    /// Whether a `Host` value, with or without a port, is allowed.
    func allows(_ authority: String) -> Bool {
        guard let host = Authority(authority)?.host else { return false }
        if host.hasPrefix("[") { return HostRule.isIPv6(host.dropFirst().dropLast()) }
        let name = HostRule.normalized(host)
        guard !name.isEmpty, name.utf8.allSatisfy(HostRule.nameBytes.contains) else { return false }
        if !name.contains(".") || HostRule.isIPv4(name) || names.contains(name) { return true }
        return suffixes.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }

    /// The name in lower case, without a trailing dot.
    static func normalized(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// Whether a text is four decimal numbers up to 255 without leading zeros.
    static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return false }
        return parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    /// Whether a text consists of the characters of an IPv6 address; that is enough, because no DNS name has brackets.
    private static func isIPv6(_ text: Substring) -> Bool {
        let address = text.prefix { $0 != "%" }
        return address.contains(":") && address.utf8.allSatisfy("0123456789ABCDEFabcdef:.".utf8.contains)
    }
}
