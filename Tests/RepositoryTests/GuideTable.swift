import Foundation

/// The tables of `WhatTheGuidesSay.md` that name a case or a test for each statement.
struct GuideTable {
    /// A statement, how it is known, and what shows it.
    struct Row {
        /// From 1.
        let line: Int
        let evidence: [String]
        /// The names between backticks: `screen/muted`, `devices/power: …`, `ScreenTests.badge`, `test_screen.test_…`.
        let references: [String]
    }

    static let path = CitationTests.folder + "WhatTheGuidesSay.md"
    static let header = "| statement | evidence | shown by |"
    /// The marks of `ProviderAPI#Evidence`.
    static let marks: Set<String> = ["documented", "archived", "observed", "client", "inferred"]

    let rows: [Row]

    /// - Throws: `Repository.Unreadable`, which names the line, for a row that doesn't have three cells.
    init(markdown: String) throws {
        var rows: [Row] = []
        var isInTable = false
        for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            if line == Self.header {
                isInTable = true
            } else if isInTable, !line.hasPrefix("| ---") {
                rows.append(try Row(markdown: String(line), line: index + 1))
            }
        }
        self.rows = rows
    }

    /// What is wrong with the rows, where only these names exist.
    func problems(known: Set<String>) -> [String] {
        rows.flatMap { row in
            let marks = row.evidence.filter { !Self.marks.contains($0) }.map {
                "\($0) is no mark of evidence: expected one of \(Self.marks.sorted())"
            }
            let names = row.references.filter { !known.contains($0) }.map { "neither a case nor a test is named \($0)" }
            let none = row.references.isEmpty ? ["nothing shows it: expected a case or a test between backticks"] : []
            return (marks + names + none).map { "line \(row.line): \($0)" }
        }
    }
}

extension GuideTable.Row {
    init(markdown: String, line: Int) throws {
        let cells = markdown.dropFirst().dropLast().split(separator: " | ").map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
        guard markdown.hasSuffix("|"), cells.count == 3 else {
            throw Repository.Unreadable(
                description:
                    "\(GuideTable.path), line \(line): \(cells.count) cells; expected 3, in \(GuideTable.header)"
            )
        }
        self.line = line
        evidence = cells[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        references = cells[2].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}

/// The names of all cases of the fixtures and of all tests.
enum ShownNames {
    static func all() throws -> Set<String> {
        var names: Set<String> = []
        for path in try Repository.files(below: "fixtures/", endingIn: [".json", ".yaml"]) {
            names.formUnion(try cases(path: path, json: try Repository.bytes(of: path)))
        }
        for path in try Repository.files(below: "Tests/", endingIn: [".swift"]) {
            names.formUnion(swiftTests(in: try Repository.text(of: path)))
        }
        for path in try Repository.files(below: "Tests/clients/", endingIn: [".py"]) {
            names.formUnion(pythonTests(in: try Repository.text(of: path), module: stem(of: path)))
        }
        return names
    }

    /// `folder/file` for a file with one case, and `folder/file: name` for each case of a file with several.
    static func cases(path: String, json: Data) throws -> [String] {
        let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        let file = "\(folder)/\(stem(of: path))"
        guard path.hasSuffix(".json"), let several = try JSONSerialization.jsonObject(with: json) as? [[String: Any]]
        else { return [file] }
        return several.compactMap { ($0["name"] as? String).map { "\(file): \($0)" } }
    }

    /// `Suite.function` for each function with `@Test` of a type at the top level.
    static func swiftTests(in text: String) -> [String] {
        var names: [String] = []
        var suite: Substring?
        var isTest = false
        for line in ByteText(text).lines where !line.isEmpty {
            guard line.hasPrefix("    ") else {
                suite = line.prefixMatch(of: /(?:final )?(?:struct|class|actor|extension) (\w+)/)?.1 ?? suite
                continue
            }
            // Few lines are worth a regular expression.
            guard line.hasPrefix("    @Test") || line.hasPrefix("    func ") else { continue }
            if line.hasPrefix("    @Test") { isTest = true }
            if let function = line.firstMatch(of: /^    (?:@Test.* )?func (\w+)\(/) {
                if isTest, let suite { names.append("\(suite).\(function.1)") }
                isTest = false
            }
        }
        return names
    }

    /// `module.function` for each test of a file.
    static func pythonTests(in text: String, module: String) -> [String] {
        ByteText(text).lines.filter { $0.hasPrefix("def test_") || $0.hasPrefix("async def test_") }.compactMap {
            line in
            line.prefixMatch(of: /(?:async )?def (test_\w+)\(/).map { "\(module).\($0.1)" }
        }
    }

    private static func stem(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
}
