import Testing

@testable import MynahCLI

@Suite("Fixtures that are being written")
struct SettledFilesTests {
    private func files(_ text: String) -> [String: [UInt8]] { ["devices.yaml": Array(text.utf8)] }

    private func takes(_ settled: inout SettledFiles, _ files: [String: [UInt8]], _ expected: Bool) {
        let isTaken = settled.adopt(files)
        #expect(isTaken == expected)
    }

    @Test("half a file is not taken, and the whole one once")
    func halfWritten() {
        var settled = SettledFiles(files("- id: a\n- id: b\n"))
        // As an editor writes: emptied, then in parts, between which looks come.
        for text in ["", "- id: a\n", "- id: a\n- id: b\n- id: c\n"] {
            takes(&settled, files(text), false)
        }
        takes(&settled, files("- id: a\n- id: b\n- id: c\n"), true)
        takes(&settled, files("- id: a\n- id: b\n- id: c\n"), false)
    }

    @Test("what is as before again is no change")
    func undone() {
        var settled = SettledFiles(files("a"))
        takes(&settled, files(""), false)
        takes(&settled, files("a"), false)
        takes(&settled, files(""), false)
        takes(&settled, files(""), true)
    }

    @Test("a file that comes, goes or changes while it is read is a change again")
    func names() {
        var settled = SettledFiles(files("a"))
        let both = files("a").merging(["channels.yaml": []]) { $1 }
        takes(&settled, both, false)
        takes(&settled, both, true)
        settled.forget()
        takes(&settled, both, false)
        takes(&settled, both, true)
    }
}
