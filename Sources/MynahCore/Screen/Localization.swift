internal import APNsRules

/// An app's strings in all its languages, and how a device finds one (`DeviceBehaviour#What-the-user-sees`).
struct Localization: Sendable, Hashable {
    /// The most languages of an app.
    static let tablesMax = 200
    static let defaultLanguage = "en"

    /// The strings by language, a ``tag(_:)``.
    var tables: [String: StringsFile] = [:]
    /// The ``tag(_:)`` of the language whose string is used if none of the user's languages has one.
    var developmentLanguage = Localization.defaultLanguage

    /// A language tag in its usual spelling: `en-GB` for `en_gb`, `zh-Hant-TW` for `ZH-hant-tw`; the encoding and
    /// modifier of a POSIX locale (`de_DE.UTF-8@euro`) are left out.
    static func tag(_ locale: String) -> String {
        let tag = locale.prefix { $0 != "." && $0 != "@" }
        return tag.split { $0 == "-" || $0 == "_" }.enumerated().map { index, part in
            switch part.count {
            case 2 where index > 0: part.uppercased()
            case 4 where index > 0: part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }

    /// The tags that are looked for, in order: of each of the user's languages, then of the development language, the
    /// narrowest first.
    func candidates(for languages: [String]) -> [String] {
        var candidates: [String] = []
        for language in languages.map(Localization.tag) + [developmentLanguage] where !language.isEmpty {
            candidates += LanguageFallback.tags(for: language).filter { !candidates.contains($0) }
        }
        return candidates
    }

    /// The string of a key, looked for in each candidate's table, as `NSLocalizedString` is seen to do.
    func string(for key: String, languages: [String]) -> String? {
        candidates(for: languages).lazy.compactMap { tables[$0]?.strings[key] }.first
    }

    /// The tag of a language that a registration names.
    static func tag(checked language: String, at place: String) throws(InputError) -> String {
        let tag = tag(language)
        guard LanguageTag.isValid(tag) else {
            throw .mismatch(.string(language), at: place, expected: "a language tag, such as en, en-GB or zh-Hant")
        }
        return tag
    }

    /// Reads the `strings` of a registration.
    static func tables(_ reader: ObjectReader) throws(InputError) -> [String: StringsFile] {
        var tables: [String: StringsFile] = [:]
        for (name, value, place) in reader.members("strings") {
            let tag = try tag(checked: name, at: place)
            let file: StringsFile
            do throws(InputError) {
                file = try StringsFile(parsing: value.string ?? value.encodedText)
            } catch {
                throw InputError(at: place, "the strings can't be read: \(error)")
            }
            guard tables.updateValue(file, forKey: tag) == nil else {
                throw InputError(at: place, "the language \(tag) is given twice: expected it once")
            }
        }
        return tables
    }
}

/// Language tags (BCP 47, RFC 5646 §2.1): `en`, `en-GB`, `zh-Hant-TW`.
enum LanguageTag {
    // RFC 5646 §4.4.1 finds 35 to be enough for any.
    private static let bytesMax = 35
    // The languages of two letters in IANA's registry of subtags (2025), which has none of more than three.
    private static let languages = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
        en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it \
        iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo \
        mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh \
        si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh \
        yi yo za zh zu
        """.split(separator: " "))

    /// Checks a device's language.
    static func check(_ text: String, at place: String) throws(InputError) {
        guard !isValid(text) else { return }
        let hyphened = String(text.map { $0 == "_" ? "-" : $0 })
        let hint =
            isValid(hyphened)
            ? Spelling.hint(text, [hyphened]) : ": expected a language tag, such as en-GB or zh-Hant-TW"
        throw InputError(at: place, "\"\(text)\" is not valid\(hint)")
    }

    /// Whether a text is a language, of two letters one that exists, then subtags of 1 to 8 letters and digits, separated
    /// by hyphens.
    static func isValid(_ text: String) -> Bool {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= bytesMax, let language = subtags.first else { return false }
        let isLanguage =
            switch language.utf8.count {
            case 2: languages.contains(Substring(language.lowercased()))
            case 3: language.allSatisfy { $0.isASCII && $0.isLetter }
            default: false
            }
        return isLanguage
            && subtags.dropFirst().allSatisfy { subtag in
                (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }
}
