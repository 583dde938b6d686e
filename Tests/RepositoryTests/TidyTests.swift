import Testing

@Suite("A tidy repository")
struct TidyTests {
    /// A longer file holds two concepts; the noun that wants out becomes a file of its own.
    static let linesOfAFileMax = 600

    /// How the names of files with code end.
    static let endings = [
        ".swift", ".py", ".sh", ".h", ".js", ".mjs", ".ts", ".mts", ".css", ".go", ".rb", ".php", ".java",
    ]

    /// What is longer belongs into an article of the documentation.
    static let linesOfTheReadmeMax = 150

    /// Files that may be longer, each with the reason.
    static let longFiles = [
        "Sources/go/keywords.go": "is made from the OpenAPI document, a type for each set of arguments",
        "Sources/go/schemas.go": "is made from the OpenAPI document, a type for each of its schemas",
        "Sources/node/types/schemas.d.ts": "is made from the OpenAPI document, a type for each of its schemas",
        "Sources/php/src/Words.php": "is made from the OpenAPI document, a list for each set of words",
        "Sources/python/mynah/schemas.py": "is made from the OpenAPI document, a type for each of its schemas",
    ]

    /// What the top level may hold beside files whose names begin with a dot.
    static let topLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "fixtures", "certs", "docker", "README.md", "LICENSE",
    ]

    /// Texts that say where somebody worked, or leave work behind: a task, half a merge.
    ///
    /// They are put together here so that this file passes its own check.
    static let foreignTexts = [
        "/wo" + "rk/", "/tmp" + "/wt", "/opt/" + "swift-packages", "TO" + "DO", "FIX" + "ME", "<<<<" + "<<< ",
        ">>>>" + ">>> ",
    ]

    @Test("a file has at most 600 lines")
    func fileHasAtMost600Lines() throws {
        var unused = Set(Self.longFiles.keys)
        for path in try Repository.files(below: "", endingIn: Self.endings) {
            let lines = ByteText(try Repository.text(of: path)).lineCount - 1
            guard lines > Self.linesOfAFileMax else { continue }
            if unused.remove(path) == nil {
                Issue.record("\(path) has \(lines) lines, the limit is \(Self.linesOfAFileMax)")
            }
        }
        #expect(unused.isEmpty, "exceptions that are not needed any more")
    }

    @Test("the README has at most 150 lines")
    func readmeHasAtMost150Lines() throws {
        let lines = try Repository.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 <= Self.linesOfTheReadmeMax)
    }

    @Test("the top level holds the fixed names only")
    func topLevelHoldsTheFixedNamesOnly() throws {
        let names = Set(try Repository.files().compactMap { $0.split(separator: "/").first.map(String.init) })
        let others = names.filter { !$0.hasPrefix(".") && !Self.topLevel.contains($0) }
        #expect(others.isEmpty, "the top level may hold \(Self.topLevel.sorted()) and names that begin with a dot")
    }

    @Test("generated files are not tracked")
    func generatedFilesAreNotTracked() throws {
        let generated = try Repository.files().filter { $0 != "certs/README.md" }.filter { path in
            ["certs/", ".build/"].contains { path.hasPrefix($0) }
                || ["Package.resolved", ".pyc", ".o"].contains { path.hasSuffix($0) }
        }
        #expect(generated.isEmpty)
    }

    @Test("nothing says where it was written or what is left to do")
    func nothingSaysWhereItWasWrittenOrWhatIsLeftToDo() throws {
        for path in try Repository.files() {
            // Read as bytes: a corpus file need not be UTF-8.
            let text = ByteText(Array(try Repository.bytes(of: path)))
            for foreign in Self.foreignTexts where text.contains(foreign) {
                Issue.record("\(path) contains '\(foreign)'")
            }
        }
    }
}
