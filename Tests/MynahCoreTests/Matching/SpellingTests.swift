import MynahCore
import Testing

@Suite("What was probably meant")
struct SpellingTests {
    @Test(
        "the nearest known name is found",
        arguments: [
            ("tpoic", "topic"), ("Topic", "topic"), ("topics", "topic"), ("apnsid", "apnsId"),
            ("colapseId", "collapseId"),
            ("pushtyp", "pushType"),
        ])
    func nearest(name: String, expected: String) {
        #expect(Spelling.nearest(to: name, among: FilterKey.names) == expected)
    }

    @Test("what is near to nothing is not guessed at", arguments: ["colour", "x", "limit", ""])
    func far(name: String) {
        #expect(Spelling.nearest(to: name, among: FilterKey.names) == nil)
    }

    @Test("without names there is none")
    func none() {
        #expect(Spelling.nearest(to: "a", among: []) == nil)
    }
}
