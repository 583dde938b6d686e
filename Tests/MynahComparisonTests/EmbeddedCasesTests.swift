import APNsRules
import MynahClient
import Testing

@testable import MynahComparison

@Suite("The cases in the program")
struct EmbeddedCasesTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 } + "/fixtures/provider-api"

    @Test("are the files of the folder")
    func casesAreTheFiles() throws {
        let names = try #require(try FileAccess.names(in: Self.folder))
        let cases = try FixtureCase.all()
        #expect(cases.map { $0.file + ".json" } == names.sorted())
        let lines = FixtureCase.lines.split(separator: "\n")
        for (line, fixture) in zip(lines, cases) {
            let text = try #require(try FileAccess.readText("\(Self.folder)/\(fixture.file).json"))
            #expect(try JSONValue(parsing: Array(line.drop { $0 != " " }.utf8)) == JSONValue(parsing: Array(text.utf8)))
        }
    }
}
