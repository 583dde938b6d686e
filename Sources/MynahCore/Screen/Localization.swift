/// An app's strings in all its languages, and how a device finds one (`DeviceBehaviour#What-the-user-sees`).
package struct Localization: Sendable, Hashable {
    /// Languages of one app; more are an error.
    package static let tablesMax = 200
    /// The development language of an app that names none.
    package static let defaultLanguage = "en"

    /// The strings, by language tag in its usual spelling (``tag(_:)``).
    package private(set) var tables: [String: StringsFile]
    /// The language that is looked in when the device's has no such key, in its usual spelling.
    package private(set) var developmentLanguage: String

    /// Strings by language tag; two spellings of one tag are the caller's fault, and one of them counts.
    package init(tables: [String: StringsFile] = [:], developmentLanguage: String = Localization.defaultLanguage) {
        self.tables = Dictionary(tables.map { (Localization.tag($0.key), $0.value) }) { first, _ in first }
        self.developmentLanguage = Localization.tag(developmentLanguage)
    }

    /// A language tag in its usual spelling: `en-GB` for `en_gb`, `zh-Hant-TW` for `ZH-hant-tw`.
    ///
    /// What a POSIX locale has behind a period or an at sign does not count.
    package static func tag(_ locale: String) -> String {
        let tag = locale.prefix { $0 != "." && $0 != "@" }
        return tag.split { $0 == "-" || $0 == "_" }.enumerated().map { index, part in
            switch part.count {
            case _ where index == 0: part.lowercased()
            case 2: part.uppercased()
            case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }

    /// Whether a tag names a language: 2 to 8 letters, then parts of 1 to 8 letters and digits (RFC 5646 §2.1).
    static func isTag(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first, (2...8).contains(language.count) else { return false }
        return language.allSatisfy { $0.isASCII && $0.isLetter }
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }

    /// The tags that are looked for, in order: `zh-Hant-TW`, `zh-Hant`, `zh`, then the development language's.
    package func candidates(for locale: String) -> [String] {
        var candidates: [String] = []
        for language in [Localization.tag(locale), developmentLanguage] {
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                let tag = parts.joined(separator: "-")
                if !candidates.contains(tag) { candidates.append(tag) }
                parts.removeLast()
            }
        }
        return candidates
    }

    /// The string of a key on a device of this locale, or `nil` when no table has it.
    ///
    /// Looked up key by key, as `NSLocalizedString` is seen to do, and not language by language.
    package func string(for key: String, locale: String) -> String? {
        for tag in candidates(for: locale) {
            if let text = tables[tag]?.strings[key] { return text }
        }
        return nil
    }
}
