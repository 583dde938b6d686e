/// The form of language tags (BCP 47, RFC 5646 §2.1): `en`, `en-GB`, `zh-Hant-TW`.
package enum LanguageTag {
    /// Bytes of a tag that are looked at; RFC 5646 §4.4.1 finds 35 to be enough for any.
    package static let bytesMax = 35

    /// Whether a text has the form of a tag: a language of 2 to 8 letters, then subtags of 1 to 8 letters and digits,
    /// separated by hyphens; whether there is such a language is not looked at.
    package static func isWellFormed(_ text: String) -> Bool {
        guard text.utf8.count <= bytesMax else { return false }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...8).contains(language.utf8.count),
            language.utf8.allSatisfy(isLetter)
        else { return false }
        return subtags.dropFirst().allSatisfy { subtag in
            (1...8).contains(subtag.utf8.count)
                && subtag.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }
}
