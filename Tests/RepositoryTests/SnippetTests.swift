import Testing

/// What documents show of Swift is what the example package has, which is built and run.
@Suite("Swift in documents")
struct SnippetTests {
    /// Documents whose Swift is taken from `Tests/example`: the README and all articles.
    static func documents() throws -> [String] {
        try Repository.files(below: CitationTests.folder, endingIn: [".md"]) + ["README.md"]
    }

    /// A block of Swift in a document.
    struct Snippet: Sendable, CustomTestStringConvertible {
        let document: String
        /// The line on which it begins, from 1.
        let line: Int
        /// Its lines as ``SnippetTests/lines(of:)`` has them.
        let lines: [String]

        var testDescription: String { "\(document):\(line)" }

        static func all() throws -> [Snippet] {
            try documents().flatMap { document in
                let blocks = SnippetTests.blocks(of: "swift", in: try Repository.text(of: document))
                return blocks.map {
                    Snippet(document: document, line: $0.line, lines: SnippetTests.lines(of: $0.text))
                }
            }
        }
    }

    /// The lines that say something, without their indentation, which differs between a document and a file.
    static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let words = line.drop { $0 == " " }
            return String(words.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// The fenced blocks of a language.
    static func blocks(of language: String, in text: String) -> [(line: Int, text: String)] {
        var blocks: [(line: Int, text: String)] = []
        var open: (line: Int, lines: [Substring])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    blocks.append((block.line, block.lines.joined(separator: "\n")))
                    open = nil
                } else {
                    open = (block.line, block.lines + [line])
                }
            } else if line == "```" + language {
                open = (index + 2, [])
            }
        }
        return blocks
    }

    @Test("a block of Swift stands in the example package", arguments: try Snippet.all())
    func blockStandsInTheExample(snippet: Snippet) throws {
        #expect(!snippet.lines.isEmpty, "an empty block")
        let files = try Repository.files(below: "Tests/example/", endingIn: [".swift"])
        let isThere = try files.contains { file in
            let lines = Self.lines(of: try Repository.text(of: file))
            return lines.indices.contains { lines[$0...].starts(with: snippet.lines) }
        }
        #expect(isThere, "no file of Tests/example has these lines one after the other; change both together")
    }

    @Test("the tutorial has such blocks")
    func tutorialHasSuchBlocks() throws {
        let ofTheTutorial = try Snippet.all().filter { $0.document.hasSuffix("/TestAProviderInSwift.md") }
        #expect(ofTheTutorial.count > 5)
    }
}
