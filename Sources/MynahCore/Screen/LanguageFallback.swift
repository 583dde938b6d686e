/// The more general languages that replace a language that an app lacks, as a bundle chooses them
/// (`DeviceBehaviour#Languages`).
///
/// From Unicode's CLDR 45: `parentLocales`, and of `likelySubtags` the languages that are written in several scripts.
enum LanguageFallback {
    /// A language's ``Localization/tag(_:)`` and the tags that replace it, the most specific first: `zh-TW`,
    /// `zh-Hant-TW`, `zh-Hant`.
    static func tags(for tag: String) -> [String] {
        var tags: [String] = []
        var next: String? = tag
        while let tag = next {
            for spelling in spellings(of: tag) where !tags.contains(spelling) { tags.append(spelling) }
            next = parent(of: tag)
        }
        return tags
    }

    // The spellings of a tag: with and without its script, if the region implies it, and what Apple's developers write
    // instead.
    private static func spellings(of tag: String) -> [String] {
        let full = withScript(tag)
        var short = full.split(separator: "-")
        if short.count > 2 { short.remove(at: 1) }
        let shortTag = short.joined(separator: "-")
        return [tag, full] + (withScript(shortTag) == full ? [shortTag] : []) + (usualNames[full].map { [$0] } ?? [])
    }

    private static func parent(of tag: String) -> String? {
        let full = withScript(tag)
        if let parent = parents[full] { return parent }
        guard tag.contains("-") else { return nil }
        let parts = full.split(separator: "-")
        // Traditional Chinese is not for readers of simplified Chinese, which is what zh means.
        if parts.count == 2, parts[1].count == 4, let scripts = scripts[String(parts[0])], parts[1] != scripts.usual {
            return nil
        }
        return parts.dropLast().joined(separator: "-")
    }

    // Adds the likely script of a language that is written in several.
    private static func withScript(_ tag: String) -> String {
        var parts = tag.split(separator: "-")
        guard let language = parts.first, let scripts = scripts[String(language)],
            parts.count == 1 || parts[1].count != 4
        else { return tag }
        let region = parts.dropFirst().first.map { String($0) } ?? ""
        parts.insert(Substring(scripts.byRegion[region] ?? scripts.usual), at: 1)
        return parts.joined(separator: "-")
    }

    // MARK: - Tables

    // The names of older projects' folders, and British English for CLDR's English of the world.
    private static let usualNames = ["zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "en-001": "en-GB"]

    private static let scripts: [String: (usual: String, byRegion: [String: String])] = [
        "az": ("Latn", ["IQ": "Arab", "IR": "Arab", "RU": "Cyrl"]),
        "kk": ("Cyrl", ["AF": "Arab", "CN": "Arab", "IR": "Arab", "MN": "Arab"]), "mn": ("Cyrl", ["CN": "Mong"]),
        "pa": ("Guru", ["PK": "Arab"]), "sr": ("Cyrl", ["ME": "Latn", "RO": "Latn", "RU": "Latn", "TR": "Latn"]),
        "uz": ("Latn", ["AF": "Arab", "CN": "Cyrl"]), "yue": ("Hant", ["CN": "Hans"]),
        "zh": ("Hans", regions("AU BN GB GF HK ID MO PA PF PH SR TH TW US VN", "Hant")),
    ]

    private static let parents: [String: String] = [
        regions("AT BE CH DE DK FI NL SE SI", of: "en-", "en-150"),
        regions(
            """
            150 AG AI AU BB BM BS BW BZ CC CK CM CX CY DG DM ER FJ FK FM GB GD GG GH GI GM GY HK ID IE IL IM IN IO JE \
            JM KE KI KN KY LC LR LS MG MO MS MT MU MV MW MY NA NF NG NR NU NZ PG PK PN PW RW SB SC SD SG SH SL SS SX \
            SZ TC TK TO TT TV TZ UG VC VG VU WS ZA ZM ZW
            """, of: "en-", "en-001"),
        regions("AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE", of: "es-", "es-419"),
        regions("AO CH CV FR GQ GW LU MO MZ ST TL", of: "pt-", "pt-PT"),
        ["nb": "no", "nn": "no", "zh-Hant-MO": "zh-Hant-HK"],
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

    private static func regions(_ regions: String, of language: String = "", _ value: String) -> [String: String] {
        regions.split(separator: " ").reduce(into: [:]) { $0[language + $1] = value }
    }
}
