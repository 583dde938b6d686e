import MynahCore
import Testing

@Suite("Suggestions for misspelt names")
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

    @Test("a name far from all known ones gets no suggestion", arguments: ["colour", "x", "limit", ""])
    func far(name: String) {
        #expect(Spelling.nearest(to: name, among: FilterKey.names) == nil)
    }

    @Test("a number is not another one misspelt", arguments: ["504", "200", "40"])
    func number(name: String) {
        #expect(Spelling.nearest(to: name, among: ["400", "404", "503"]) == nil)
    }

    @Test("a name of more than 256 bytes is not compared")
    func long() {
        let name = String(repeating: "a", count: 256)
        #expect(Spelling.nearest(to: name, among: [name + "b"]) == name + "b")
        #expect(
            Spelling.hint(name + "c", [name + "b"]).isEmpty && Spelling.nearest(to: name + "c", among: [name]) == nil)
    }

    @Test("without known names there is no suggestion")
    func none() {
        #expect(Spelling.nearest(to: "a", among: []) == nil)
    }
}
