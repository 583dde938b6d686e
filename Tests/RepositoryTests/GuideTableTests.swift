import Foundation
import Testing

/// What Apple's guides say, and what shows it.
@Suite("The table of what the guides say")
struct GuideTableTests {
    /// Fewer would mean that rows aren't read.
    static let rowsMin = 200

    @Test("each statement has marks of evidence, and cases or tests that exist")
    func eachStatementIsShown() throws {
        let table = try GuideTable(markdown: try Repository.text(of: GuideTable.path))
        #expect(table.rows.count >= Self.rowsMin)
        for problem in table.problems(known: try ShownNames.all()) { Issue.record("\(GuideTable.path), \(problem)") }
    }

    @Test(
        "an unknown name, an unknown mark, and a statement that nothing shows are named with their line",
        arguments: [
            ("archived", "`screen/muted`, `screen/mute`", "neither a case nor a test is named screen/mute"),
            ("archived", "`ScreenTests.bage`", "neither a case nor a test is named ScreenTests.bage"),
            ("documented, sure", "`screen/muted`", "sure is no mark of evidence"),
            ("inferred", "a test", "nothing shows it"),
        ])
    func wrongRow(evidence: String, shownBy: String, problem: String) throws {
        let table = try GuideTable(
            markdown: """
                | other | table | here |
                | a | b | `c` |

                \(GuideTable.header)
                | --- | --- | --- |
                | it is so | archived, observed | `screen/muted`, `ScreenTests.badge` |
                | it is `1` | \(evidence) | \(shownBy) |
                """)
        #expect(table.rows.count == 2)
        let problems = table.problems(known: ["screen/muted", "ScreenTests.badge"])
        #expect(problems.count == 1 && problems.first?.hasPrefix("line 7: \(problem)") == true, "\(problems)")
    }

    @Test("a row without its three cells is an error with its line")
    func rowWithoutItsCells() {
        let error = #expect(throws: Repository.Unreadable.self) {
            try GuideTable(markdown: "\(GuideTable.header)\n| --- | --- | --- |\n| a | archived |")
        }
        #expect(error?.description.contains("line 3: 2 cells") == true)
    }

    @Test("names are those of cases, of tests in Swift and of tests in Python")
    func names() throws {
        let several = Data(#"[{"name": "a, b"}, {"name": "c"}]"#.utf8)
        #expect(
            try ShownNames.cases(path: "fixtures/devices/x.json", json: several) == ["devices/x: a, b", "devices/x: c"])
        #expect(try ShownNames.cases(path: "fixtures/screen/x.json", json: Data("{}".utf8)) == ["screen/x"])
        #expect(try ShownNames.cases(path: "fixtures/scenarios/x.yaml", json: Data()) == ["scenarios/x"])
        let swift = """
            @Suite("s")
            struct Some {
                func helper() {}
                @Test("t", arguments: [1])
                func one(_: Int) {}
                func another() {}
            }
            extension Other {
                @Test func two() {}
                @Test("u")
                func three() {}
            }
            """
        #expect(ShownNames.swiftTests(in: swift) == ["Some.one", "Other.two", "Other.three"])
        #expect(
            ShownNames.pythonTests(in: "def test_a(x):\ndef a():\nasync def test_b(\n", module: "test_m")
                == ["test_m.test_a", "test_m.test_b"])
    }
}
