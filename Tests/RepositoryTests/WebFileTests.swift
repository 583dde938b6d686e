import Testing

/// The page's scripts and styles, which no compiler checks.
@Suite("The page's sources")
struct WebFileTests {
    static let folder = "Sources/MynahControl/Page/Web/"
    static let columnsMax = 120

    /// Ways to make markup or code out of text, each with what to use in its place.
    static let forbidden = [
        "innerHTML": "textContent", "outerHTML": "textContent", "insertAdjacentHTML": "append",
        "document.write": "append", "DOMParser": "el(…)", "createContextualFragment": "el(…)", "srcdoc": "el(…)",
        "eval(": "a function", "new Function": "a function", "javascript:": "a listener",
    ]

    @Test("no script makes markup or code out of text", arguments: forbidden.keys.sorted())
    func noScriptMakesMarkupOutOfText(text: String) throws {
        for path in try Repository.files(below: Self.folder, endingIn: [".js", ".html"]) {
            #expect(
                !(try Repository.text(of: path)).contains(text),
                "\(path) contains '\(text)'; use \(Self.forbidden[text] ?? "")")
        }
    }

    @Test("nothing is loaded from elsewhere")
    func nothingIsLoadedFromElsewhere() throws {
        for path in try Repository.files(below: Self.folder, endingIn: [".js", ".css", ".html", ".svg"]) {
            // The name of SVG's namespace is no address; what is shown to be copied is put together at run time.
            let text = try Repository.text(of: path)
                .replacing("http://www.w3.org/2000/svg", with: "").replacing("https://${", with: "")
            #expect(!text.contains("://"), "\(path) names an address")
            #expect(!text.contains("@import"), "\(path)")
        }
    }

    @Test("a line has at most 120 columns")
    func lineHasAtMost120Columns() throws {
        for path in try Repository.files(below: Self.folder, endingIn: [".js", ".css", ".html"]) {
            let lines = try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.count > Self.columnsMax {
                Issue.record("\(path):\(index + 1) has \(line.count) columns")
            }
        }
    }

    @Test("every file of the page is loaded by the page or by one of its scripts")
    func everyFileIsLoaded() throws {
        let paths = try Repository.files(below: Self.folder, endingIn: [".js", ".css", ".svg"])
        let texts = try Repository.files(below: Self.folder, endingIn: [".js", ".html"]).map { path in
            try Repository.text(of: path)
        }
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            #expect(texts.contains { $0.contains("/\(name)\"") }, "\(path) is loaded by nothing")
        }
    }
}
