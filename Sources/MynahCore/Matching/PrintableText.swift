/// Text that may be shown to a person as it is.
package enum PrintableText {
    /// The text with a space for what would drive a terminal: control characters, and those that turn the direction of
    /// writing around.
    package static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : " " }))
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// The text, or so much of it and how long it is.
    package static func shortened(_ text: String, to countMax: Int) -> String {
        guard text.count > countMax else { return text }
        return "\(text.prefix(countMax))… (\(text.count) characters)"
    }
}
