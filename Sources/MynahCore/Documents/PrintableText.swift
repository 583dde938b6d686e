/// Makes text safe to print on a terminal.
package enum PrintableText {
    /// The text with a space in place of control characters and characters that change the writing direction.
    package static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : " " }))
    }

    /// The text with `\u` and four digits in place of those characters, except line breaks and tabs; JSON keeps its
    /// values, because it has those characters in strings only.
    ///
    /// - Parameter keepsColours: whether U+001B stays.
    package static func escaped(_ text: String, keepsColours: Bool = false) -> String {
        func stays(_ scalar: Unicode.Scalar) -> Bool {
            isHarmless(scalar) || scalar == "\n" || scalar == "\t" || scalar == "\u{1B}" && keepsColours
        }
        guard let first = text.unicodeScalars.firstIndex(where: { !stays($0) }) else { return text }
        var escaped = String(text[..<first])
        for scalar in text.unicodeScalars[first...] {
            guard !stays(scalar) else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return escaped
    }

    // Texts in Arabic and Hebrew need the direction marks U+200E, U+200F and U+061C, which override nothing.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// The text; one of more than `countMax` characters is cut and followed by its length.
    package static func shortened(_ text: String, to countMax: Int) -> String {
        guard text.utf8.count > countMax, text.count > countMax else { return text }
        return "\(text.prefix(countMax))… (\(text.count) characters)"
    }
}
