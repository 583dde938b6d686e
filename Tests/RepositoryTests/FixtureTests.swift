import Foundation
import Testing

@Suite("Fixtures and what is made from them")
struct FixtureTests {
    /// Set to 1, the test of the tables writes them into the reference in place of comparing.
    static let updateVariable = "UPDATE_DOCUMENTATION"

    @Test("every fixture is a case with a name of its own")
    func everyFixtureIsACaseWithANameOfItsOwn() throws {
        let byName = Dictionary(grouping: try FixtureCase.all(), by: \.name)
        for (name, cases) in byName where cases.count > 1 {
            Issue.record("'\(name)' is the name of \(cases.map(\.path))")
        }
    }

    @Test("the folder of fixtures holds nothing but cases")
    func folderOfFixturesHoldsNothingButCases() throws {
        let others = try Repository.files(below: FixtureCase.folder, endingIn: [""]).filter { !$0.hasSuffix(".json") }
        #expect(others.isEmpty)
    }

    @Test("the tables of the reference are those that the fixtures make")
    func tablesOfTheReferenceAreThoseThatTheFixturesMake() throws {
        try expect(ReasonTable.markdown(of: try FixtureCase.all()), in: "Reasons", between: ReasonTable.markers)
        try expect(try PatternTable.markdown(), in: "FilterLanguage", between: PatternTable.markers)
    }

    /// Compares the table of an article, or writes it.
    private func expect(_ table: String, in article: String, between markers: (String, String)) throws {
        let path = "\(CitationTests.folder)Reference/\(article).md"
        let text = try Repository.text(of: path)
        let wanted = try #require(
            ReasonTable.replaced(in: text, by: table, between: markers),
            "\(path): expected a line '\(markers.0)' and below it a line '\(markers.1)'"
        )
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            try Data(wanted.utf8).write(to: Repository.root.appendingPathComponent(path), options: .atomic)
        } else {
            #expect(
                text == wanted,
                "\(Self.updateVariable)=1 Tests/run.sh swift-tests -- --filter RepositoryTests writes the table into \(path)"
            )
        }
    }

    @Test("a table replaces what stands between its markers and nothing else")
    func tableReplacesWhatStandsBetweenItsMarkersAndNothingElse() {
        let (begin, end) = ReasonTable.markers
        let text = "before\n\(begin)\nold\nolder\n\(end)\nafter\n"
        let replaced = ReasonTable.replaced(in: text, by: "new", between: ReasonTable.markers)
        #expect(replaced == "before\n\(begin)\n\nnew\n\n\(end)\nafter\n")
        #expect(ReasonTable.replaced(in: "\(end)\n\(begin)\n", by: "new", between: ReasonTable.markers) == nil)
    }

    @Test("a fixture without a field is named with that field")
    func fixtureWithoutAFieldIsNamedWithThatField() {
        let error = #expect(throws: Repository.Unreadable.self) {
            try FixtureCase(path: "x.json", json: Data(#"{"name": "n", "expect": {}}"#.utf8))
        }
        #expect(error?.description.contains("x.json") == true)
        #expect(error?.description.contains("'source'") == true)
    }
}
