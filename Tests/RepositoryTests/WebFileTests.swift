import Testing

/// The page's scripts and styles, which no compiler checks.
@Suite("The page's sources")
struct WebFileTests {
    static let folder = "Sources/MynahControl/Page/Web/"

    /// The name of SVG's namespace, and beginnings of addresses that are shown to be copied.
    static let harmlessAddresses = [
        "http://www.w3.org/2000/svg", "http://127.0.0.1", "https://localhost", "https://${",
        "HTTPS_PROXY=http://${", "https://shop.example",
    ]

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
                !ByteText(try Repository.text(of: path)).contains(text),
                "\(path) contains '\(text)'; use \(Self.forbidden[text] ?? "")")
        }
    }

    @Test("nothing is loaded from elsewhere")
    func nothingIsLoadedFromElsewhere() throws {
        for path in try Repository.files(below: Self.folder, endingIn: [".js", ".css", ".html", ".svg"]) {
            let text = ByteText(try Repository.text(of: path))
            for number in text.lines(containing: "://") {
                var line = String(text.lines[number - 1])
                for harmless in Self.harmlessAddresses { line = line.replacing(harmless, with: "") }
                #expect(!line.contains("://"), "\(path):\(number) names an address")
            }
            #expect(!text.contains("@import"), "\(path)")
        }
    }

    @Test("every file of the page is loaded by the page or by one of its scripts")
    func everyFileIsLoaded() throws {
        let paths = try Repository.files(below: Self.folder, endingIn: [".js", ".css", ".svg"])
        let texts = try Repository.files(below: Self.folder, endingIn: [".js", ".html"]).map { path in
            ByteText(try Repository.text(of: path))
        }
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            #expect(texts.contains { $0.contains("/\(name)\"") }, "\(path) is loaded by nothing")
        }
    }
}
