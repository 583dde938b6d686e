/// The parts of an absolute URL with an authority, as they were written (RFC 3986 §3).
package struct URLParts {
    /// In lower case.
    package let scheme: String
    /// Host and port, and maybe a user before them.
    package let authority: Substring
    /// The path with its query; empty if there is none.
    package let path: Substring
    /// Whether a fragment follows, which no request has.
    package let hasFragment: Bool

    /// Splits a URL; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let separator = text.firstRange(of: "://"), URLParts.isScheme(text[..<separator.lowerBound]) else {
            return nil
        }
        scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...].prefix { $0 != "#" }
        authority = rest.prefix { !"/?".contains($0) }
        path = rest[authority.endIndex...]
        hasFragment = rest.endIndex < text.endIndex
    }

    /// Whether a text is a scheme: a letter, and letters, digits and `+-.`.
    package static func isScheme(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
