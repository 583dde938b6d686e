/// A text that WHATWG's URL parser reads, as in a browser (URL §4.4).
package struct WebURL {
    private static let specialSchemes = ["http", "https", "ws", "wss", "ftp", "file"]

    /// Whether the URL has a scheme, so that it needs no base.
    package let isAbsolute: Bool

    /// Reads a URL, maybe relative to one of `https`; `nil` if a browser reads none.
    package init?(_ text: String) {
        // Blanks around it, and tabs and line ends within, don't count.
        let kept = text.utf8.filter { ![0x09, 0x0A, 0x0D].contains($0) }.drop { $0 <= 0x20 }
        let end = kept.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? kept.startIndex
        let text = String(decoding: kept[..<end], as: UTF8.self)
        let colon = text.firstIndex(of: ":").flatMap { URLParts.isScheme(text[..<$0]) ? $0 : nil }
        isAbsolute = colon != nil
        let scheme = colon.map { text[..<$0].lowercased() } ?? "https"
        let rest = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let isSpecial = WebURL.specialSchemes.contains(scheme)
        func isSlash(_ character: Character) -> Bool { character == "/" || isSpecial && character == "\\" }
        let hasHost = isSpecial && scheme != "file"
        guard isAbsolute && hasHost || rest.prefix(while: isSlash).count > 1 else { return }
        // Any number of slashes begins the authority of a web address.
        let authority = (hasHost ? rest.drop(while: isSlash) : rest.dropFirst(2))
            .prefix { !isSlash($0) && $0 != "?" && $0 != "#" }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let (host, port) = WebPushOrigin.parts(of: hostAndPort)
        guard port.map({ $0.isEmpty || UInt16($0) != nil }) ?? true else { return nil }
        guard host.isEmpty ? !hasHost && port == nil : WebURL.isHost(host) else { return nil }
    }

    /// Whether a text is an IPv6 address in brackets, or has no character that hosts don't have (URL §3.1).
    private static func isHost(_ text: Substring) -> Bool {
        guard text.hasPrefix("[") else {
            return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"#%/:<>?@[\\]^|".utf8.contains($0) }
        }
        let address = text.dropFirst().dropLast()
        return text.hasSuffix("]") && address.count { $0 == ":" } > 1
            && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
}
