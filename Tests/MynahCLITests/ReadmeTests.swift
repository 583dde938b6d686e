import Foundation
import Testing

@testable import MynahCLI

/// The README's table of flags is the one that the flags, the variables and the YAML file are read by.
struct ReadmeTests {
    private static let begin = "<!-- flags:begin -->"
    private static let end = "<!-- flags:end -->"
    private static let updateVariable = "UPDATE_README"
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md")

    private static var table: String {
        let rows = SettingTable.all.map { setting -> String in
            let head = setting.placeholder.isEmpty ? setting.flag : "\(setting.flag) \(setting.placeholder)"
            let help = setting.help.replacing("|", with: "\\|")
            return "| `\(head.replacing("|", with: "\\|"))` | \(setting.defaultText ?? "") | \(help) |"
        }
        return (["| flag | default | meaning |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    @Test("the README's table of flags is the one of the settings")
    func tableOfFlags() throws {
        let readme = try String(contentsOf: Self.file, encoding: .utf8)
        let first = try #require(readme.range(of: Self.begin), "README.md needs a line \(Self.begin)")
        let last = try #require(readme.range(of: Self.end), "README.md needs a line \(Self.end)")
        var wanted = readme
        wanted.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\n\(Self.table)\n\n")
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            try Data(wanted.utf8).write(to: Self.file, options: .atomic)
        } else {
            #expect(
                readme == wanted, "\(Self.updateVariable)=1 swift test --filter ReadmeTests writes it into README.md")
        }
    }
}
