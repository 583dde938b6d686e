import APNsRules
import ArgumentParser
import Foundation
import MynahCore
import Testing

@testable import MynahCLI
@testable import MynahControl

/// The tables of the reference that are made of the program's own: settings, commands, endpoints, presets, magic tokens
/// and scenarios.
@Suite("The tables of the reference")
struct ReferenceTableTests {
    /// Set to 1, the test writes the tables into the articles in place of comparing.
    private static let updateVariable = "UPDATE_DOCUMENTATION"
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Mynah/Mynah.docc/Reference")

    /// The articles, each with the name in its markers.
    static let articles = [
        "ServerSettings": "settings", "Commands": "commands", "ExitCodes": "exit-codes", "Endpoints": "endpoints",
        "FaultPresets": "presets",
        "MagicTokens": "magic-tokens", "Scenarios": "scenarios",
    ]

    @Test("the help names pages of the documentation by their titles")
    func titles() throws {
        let folder = Self.folder.deletingLastPathComponent()
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let titles = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "md" }.map { file in
            try String(contentsOf: file, encoding: .utf8).prefix { $0 != "\n" }.dropFirst("# ".count)
        }
        let phrase = "Read on in the documentation:"
        for topic in HelpTopic.allCases {
            let words = topic.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard let start = words.firstRange(of: phrase) else { continue }
            let named = words[start.upperBound...].prefix { $0 != "." }.split(separator: ",")
            for title in named.map({ $0.drop { $0 == " " } }) {
                #expect(titles.contains(title), "\(topic) names \(title)")
            }
        }
    }

    private static func table(_ name: String) -> String {
        switch name {
        case "settings": settings
        case "commands": commands
        case "exit-codes": exitCodes
        case "endpoints": endpoints
        case "presets": presets
        case "magic-tokens": magicTokens
        default: scenarios
        }
    }

    private static var presets: String {
        let rows = FaultPreset.all.map { preset in
            [code(preset.name), preset.help, preset.options.map { code("--\($0.name)") }.joined(separator: " ")]
        }
        return table(["preset", "does", "options of its own"], rows)
    }

    private static var magicTokens: String {
        table(["token", "a push to it"], MagicTokens.all.map { [code($0.token.hex), $0.does] })
    }

    private static var scenarios: String {
        let rows = ShippedScenarios.all.map { scenario in
            let parts = (scenario.description ?? "").components(separatedBy: " A good provider ")
            return [code(scenario.name), parts[0], parts.dropFirst().joined(separator: " A good provider ")]
        }
        return table(["scenario", "what happens", "a good provider"], rows)
    }

    private static var settings: String {
        let rows = SettingTable.all.map { setting in
            let head = setting.placeholder.isEmpty ? setting.flag : "\(setting.flag) \(setting.placeholder)"
            return [code(head), setting.defaultText ?? "", setting.help]
        }
        return table(["flag", "default", "meaning"], rows)
    }

    private static var exitCodes: String {
        table(["code", "means"], CommandStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    private static var commands: String {
        table(["command", "does"], rows(of: MynahCommand.self, below: []))
    }

    /// The commands below one that run something.
    private static func rows(of command: any ParsableCommand.Type, below parents: [String]) -> [[String]] {
        let configuration = command.configuration
        let words = parents + [configuration.commandName ?? ""]
        guard configuration.subcommands.isEmpty else {
            return configuration.subcommands.flatMap { rows(of: $0, below: words) }
        }
        return [[code(words.joined(separator: " ")), configuration.abstract]]
    }

    private static var endpoints: String {
        let rows = RouteTable.all.routes.map { (call: "\($0.method) \($0.path)", summary: $0.summary) }
            .filter { !$0.call.hasPrefix("HEAD ") && !$0.call.contains("/assets/") }
        return table(["call", "does"], rows.map { [code($0.call), $0.summary] })
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows.map { row in row.map { $0.replacing("|", with: "\\|") } })
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func code(_ text: String) -> String { "`\(text)`" }

    @Test("the table of an article is the program's", arguments: articles.keys.sorted())
    func tableIsTheProgramsOwn(article: String) throws {
        let file = Self.folder.appending(path: article + ".md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let name = try #require(Self.articles[article])
        let (begin, end) = ("<!-- \(name):begin -->", "<!-- \(name):end -->")
        let first = try #require(text.range(of: begin), "\(article).md: expected a line \(begin)")
        let last = try #require(text.range(of: end), "\(article).md: expected a line \(end)")
        var wanted = text
        wanted.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\n\(Self.table(name))\n\n")
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            try Data(wanted.utf8).write(to: file, options: .atomic)
        } else {
            #expect(
                text == wanted,
                """
                \(Self.updateVariable)=1 Tests/run.sh swift-tests -- --filter ReferenceTableTests writes it into \(article).md
                """)
        }
    }
}
