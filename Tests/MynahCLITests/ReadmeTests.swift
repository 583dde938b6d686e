import APNsRules
import Foundation
import MynahCore
import Testing

@testable import MynahCLI

/// The tables of flags, presets, magic tokens and scenarios in the README.
struct ReadmeTests {
    private static let updateVariable = "UPDATE_README"
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md")

    /// The tables by the name in their markers.
    private static var tables: [(name: String, text: String)] {
        [
            ("flags", flags), ("presets", presets), ("magic-tokens", magicTokens),
            ("scenarios", scenarios),
        ]
    }

    private static var presets: String {
        let rows = FaultPreset.all.map { preset in
            let options = preset.options.map { "`--\($0.name)`" }.joined(separator: " ")
            return "| `\(preset.name)` | \(preset.help) | \(options) |"
        }
        return (["| preset | does | options of its own |", "| --- | --- | --- |"] + rows).joined(
            separator: "\n")
    }

    private static var magicTokens: String {
        let rows = MagicTokens.all.map { "| `\($0.token.hex)` | \($0.does) |" }
        return (["| token | a push to it |", "| --- | --- |"] + rows).joined(separator: "\n")
    }

    private static var scenarios: String {
        let rows = ShippedScenarios.all.map { scenario in
            let parts = (scenario.description ?? "").components(separatedBy: " A good provider ")
            let good = parts.dropFirst().joined(separator: " A good provider ")
            return "| `\(scenario.name)` | \(parts[0]) | \(good) |"
        }
        return (["| scenario | what happens | a good provider |", "| --- | --- | --- |"] + rows).joined(
            separator: "\n")
    }

    private static var flags: String {
        let rows = SettingTable.all.map { setting -> String in
            let head = setting.placeholder.isEmpty ? setting.flag : "\(setting.flag) \(setting.placeholder)"
            let help = setting.help.replacing("|", with: "\\|")
            return "| `\(head.replacing("|", with: "\\|"))` | \(setting.defaultText ?? "") | \(help) |"
        }
        return (["| flag | default | meaning |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    @Test(
        "the README's tables of flags, presets, magic tokens and scenarios are those of the program")
    func tables() throws {
        let readme = try String(contentsOf: Self.file, encoding: .utf8)
        var wanted = readme
        for table in Self.tables {
            let (begin, end) = ("<!-- \(table.name):begin -->", "<!-- \(table.name):end -->")
            let first = try #require(wanted.range(of: begin), "README.md needs a line \(begin)")
            let last = try #require(wanted.range(of: end), "README.md needs a line \(end)")
            wanted.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\n\(table.text)\n\n")
        }
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            try Data(wanted.utf8).write(to: Self.file, options: .atomic)
        } else {
            #expect(
                readme == wanted, "\(Self.updateVariable)=1 swift test --filter ReadmeTests writes it into README.md")
        }
    }
}
