import Testing

@testable import MynahCore

@Suite("How a device finds a string")
struct LocalizationTests {
    @Test(
        "a language tag has one spelling",
        arguments: [
            ("en", "en"), ("EN_gb", "en-GB"), ("zh-hant-tw", "zh-Hant-TW"), ("pt_BR.UTF-8", "pt-BR"),
            ("de_AT@euro", "de-AT"), ("es-419", "es-419"), ("", ""),
        ])
    func tagHasOneSpelling(locale: String, tag: String) {
        #expect(Localization.tag(locale) == tag)
    }

    @Test(
        "language tags are tried from specific to general, then the development language",
        arguments: [
            ("en-US", "en", ["en-US", "en"]), ("en-GB", "en", ["en-GB", "en-001", "en"]),
            ("en-AU", "en", ["en-AU", "en-001", "en-GB", "en"]),
            ("de-CH-1996", "en", ["de-CH-1996", "de-CH", "de", "en"]), ("de", "fr_CA", ["de", "fr-CA", "fr"]),
            ("en_AT", "fr", ["en-AT", "en-150", "en-001", "en-GB", "en", "fr"]),
            ("zh_Hant_TW", "en", ["zh-Hant-TW", "zh-TW", "zh-Hant", "en"]),
            ("zh", "en", ["zh", "zh-Hans", "zh-CN", "en"]),
            ("zh-CN", "en", ["zh-CN", "zh-Hans-CN", "zh-Hans", "zh", "en"]),
            ("zh-MO", "de", ["zh-MO", "zh-Hant-MO", "zh-Hant-HK", "zh-HK", "zh-Hant", "zh-TW", "de"]),
            ("nb-NO", "en", ["nb-NO", "nb", "no", "en"]), ("sr-Latn-RS", "en", ["sr-Latn-RS", "sr-Latn", "en"]),
            ("", "en", ["en"]),
        ])
    func tagsAreLookedForInOrder(locale: String, language: String, candidates: [String]) {
        let localization = Localization(developmentLanguage: Localization.tag(language))
        #expect(localization.candidates(for: [locale]) == candidates)
    }

    @Test("the first language and all that stand in for it come before the second")
    func languagesAreLookedForInOrder() {
        let candidates = Localization().candidates(for: ["pt-AO", "fr", "pt"])
        #expect(candidates == ["pt-AO", "pt-PT", "pt", "fr", "en"])
    }

    @Test(
        "a format takes its arguments",
        arguments: [
            ("", [], "", 0), ("%@", ["a"], "a", 0), ("%@%@", ["a", "b"], "ab", 0), ("%2$@ %1$@", ["a", "b"], "b a", 0),
            ("%1$@ %1$@", ["a"], "a a", 0), ("%1$@ %@", ["a", "b"], "a a", 0), ("%%", [], "%", 0),
            ("%%@", ["a"], "%@", 0),
            ("%@", [], "", 1), ("%3$@", ["a"], "", 1), ("%0$@", ["a"], "%0$@", 1),
            ("100 % sure", ["a"], "100 % sure", 1),
            ("%", [], "%", 1), ("%d", ["5"], "5", 1), ("%1$d", ["5"], "5", 1), ("%.2f", ["5"], "5", 1),
            ("%ld", ["5"], "5", 1), ("%s", ["5"], "5", 1), ("%y", ["5"], "%y", 1), ("%d", [], "", 2),
            ("%99999999999$@", ["a"], "%99999999999$@", 1), ("a%@", ["%@"], "a%@", 0), ("ä%@😀", ["ö"], "äö😀", 0),
        ] as [(String, [String], String, Int)])
    func formatTakesItsArguments(format: String, arguments: [String], text: String, warningCount: Int) {
        let formatted = LocalizedFormat(format, arguments: arguments, name: "the string KEY")
        #expect(formatted.text == text)
        #expect(formatted.warnings.count == warningCount, "\(formatted.warnings)")
        #expect(formatted.warnings.allSatisfy { $0.contains("the string KEY") })
    }
}
