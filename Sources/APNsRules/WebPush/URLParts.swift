/// The parts of an absolute URL with an authority, as they were written (RFC 3986 §3).
package struct URLParts {
    /// In lower case.
    package let scheme: String
    /// Host and port, and maybe a user before them.
    package let authority: Substring
    /// The path, with query and fragment; empty if the URL has no path.
    package let path: Substring

    /// Splits a URL; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let separator = text.firstRange(of: "://"), URLParts.isScheme(text[..<separator.lowerBound]) else {
            return nil
        }
        scheme = text[..<separator.lowerBound].lowercased()
        authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
        path = text[authority.endIndex...]
    }

    /// The path of a request for the URL.
    package var target: String { path.hasPrefix("/") ? String(path) : "/\(path)" }

    /// Whether a text is a scheme: a letter, and letters, digits and `+-.`.
    package static func isScheme(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
