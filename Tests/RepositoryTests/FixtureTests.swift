import Foundation
import Testing

@Suite("Fixtures and what is made from them")
struct FixtureTests {
    /// Set to 1, the test of the tables writes them into `README.md` in place of comparing.
    static let updateVariable = "UPDATE_README"

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

    @Test("the tables of the README are those that the fixtures make")
    func tablesOfTheREADMEAreThoseThatTheFixturesMake() throws {
        let path = "README.md"
        let readme = try Repository.text(of: path)
        let withReasons = try #require(
            ReasonTable.replaced(in: readme, by: ReasonTable.markdown(of: try FixtureCase.all())),
            "\(path) needs a line '\(ReasonTable.begin)' and below it a line '\(ReasonTable.end)'"
        )
        let wanted = try #require(
            ReasonTable.replaced(
                in: withReasons, by: try PatternTable.markdown(), between: PatternTable.begin, and: PatternTable.end),
            "\(path) needs a line '\(PatternTable.begin)' and below it a line '\(PatternTable.end)'"
        )
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            try Data(wanted.utf8).write(to: Repository.root.appendingPathComponent(path), options: .atomic)
        } else {
            #expect(
                readme == wanted,
                "\(Self.updateVariable)=1 swift test --filter RepositoryTests writes the tables into \(path)"
            )
        }
    }

    @Test("a table replaces what stands between its markers and nothing else")
    func tableReplacesWhatStandsBetweenItsMarkersAndNothingElse() {
        let text = "before\n\(ReasonTable.begin)\nold\nolder\n\(ReasonTable.end)\nafter\n"
        let replaced = ReasonTable.replaced(in: text, by: "new")
        #expect(replaced == "before\n\(ReasonTable.begin)\n\nnew\n\n\(ReasonTable.end)\nafter\n")
        #expect(ReasonTable.replaced(in: "\(ReasonTable.end)\n\(ReasonTable.begin)\n", by: "new") == nil)
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
