import Testing

/// Citations such as `ProviderAPI#Token-age`: an article of the documentation and one of its sections.
@Suite("Citations of the specification")
struct CitationTests {
    static let folder = "Sources/Mynah/Mynah.docc/"
    static let articles = ["Architecture", "ControlAPI", "DeviceBehaviour", "Documents", "ProviderAPI", "WebPush"]

    /// Sources that never were part of the repository, and marks of evidence that readers can't look up.
    ///
    /// They are put together here so that this file passes its own check.
    static let unknownSources = [
        "provider-" + "api.md", "control-" + "api.md", "models" + ".md", "device" + ".md", "(IN" + "F)", "(DO" + "C)",
    ]

    /// The anchors of an article's headings, as DocC makes them.
    static func anchors(of article: String) throws -> Set<String> {
        let headings = try Repository.text(of: folder + article + ".md").split(separator: "\n")
            .filter { $0.hasPrefix("##") }
            .map { $0.drop { $0 == "#" }.dropFirst() }
        return Set(headings.map { String($0).replacing(" ", with: "-") } + ["Overview"])
    }

    @Test("each citation leads to a section that exists")
    func eachCitationLeadsToASection() throws {
        let anchors = try Dictionary(
            uniqueKeysWithValues: Self.articles.map { ($0, try Self.anchors(of: $0)) })
        var count = 0
        for path in try Repository.files() {
            let text = ByteText(Array(try Repository.bytes(of: path)))
            // Few lines are worth a regular expression.
            let lines = Self.articles.contains { text.contains($0 + "#") } ? text.lines : []
            for line in lines where line.utf8.contains(UInt8(ascii: "#")) {
                let citations = line.matches(
                    of: /\b(Architecture|ControlAPI|DeviceBehaviour|Documents|ProviderAPI|WebPush)#([A-Za-z0-9-]+)/)
                for citation in citations {
                    count += 1
                    let article = String(citation.1)
                    let anchor = String(citation.2)
                    #expect(anchors[article]?.contains(anchor) == true, "\(path) cites \(citation.0): no such section")
                }
            }
            for source in Self.unknownSources where text.contains(source) {
                Issue.record("\(path) cites \(source): expected an article of the documentation and its section")
            }
        }
        #expect(count > 300, "citations are written as `ProviderAPI#Token-age`")
    }

    @Test("each case of the fixtures names a section, and how its rule is known if it is one of Apple's service")
    func eachCaseNamesItsSource() throws {
        for path in try Repository.files(below: FixtureCase.folder, endingIn: [".json"]) {
            let source = try FixtureCase(path: path, json: try Repository.bytes(of: path)).source
            let parts = try #require(
                source.wholeMatch(of: /(ControlAPI|ProviderAPI)#[A-Za-z0-9-]+(?: \(([a-z]+)(?:: .+)?\))?/),
                "\(path): \(source): expected a section, and a mark as in ProviderAPI#Token-age (inferred)")
            let mark = parts.2.map(String.init)
            let isKnown = mark.map(GuideTable.marks.contains) ?? (parts.1 == "ControlAPI")
            #expect(isKnown, "\(path): \(source): expected one of \(GuideTable.marks.sorted()) in parentheses")
        }
    }
}
