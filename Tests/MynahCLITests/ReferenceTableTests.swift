import APNsRules
import ArgumentParser
import Foundation
import MynahCore
import Testing

@testable import Mynah
@testable import MynahCLI
@testable import MynahControl

/// The tables of the documentation that are made of the program's own: settings, commands, endpoints, presets, magic
/// tokens, scenarios, filters and columns; and the example of a push.
@Suite("The tables of the reference", .serialized)  // One article has two of them.
struct ReferenceTableTests {
    /// Set to 1, the test writes the tables into the articles in place of comparing.
    private static let updateVariable = "UPDATE_DOCUMENTATION"
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Mynah/Mynah.docc")

    /// The articles, each with the names in the markers of its tables.
    static let articles = [
        "ControlAPI": ["filters"], "Documents": ["device-members", "push", "actions"],
        "Reference/ServerSettings": ["settings"], "Reference/Commands": ["commands"],
        "Reference/ExitCodes": ["exit-codes"], "Reference/Endpoints": ["endpoints"],
        "Reference/FaultPresets": ["presets"], "Reference/MagicTokens": ["magic-tokens"],
        "Reference/Scenarios": ["scenarios"], "Reference/RunFile": ["columns"],
    ]

    @Test("the help names pages of the documentation by their titles")
    func titles() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil))
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

    private static func table(_ name: String) throws -> String {
        switch name {
        case "settings": settings
        case "commands": commands
        case "exit-codes": exitCodes
        case "endpoints": endpoints
        case "presets": presets
        case "magic-tokens": magicTokens
        case "filters": filters
        case "actions": actions
        case "device-members": deviceMembers
        case "columns": columns
        case "push": try push
        default: scenarios
        }
    }

    private static var presets: String {
        let rows = FaultPreset.all.map { preset in
            [code(preset.name), preset.help, preset.options.map { code("--\($0.name)") }.joined(separator: " ")]
        }
        return table(["preset", "does", "options of its own"], rows)
    }

    /// The most words of a key that a table lists.
    private static let wordsMax = 12

    private static var filters: String {
        let rows = FilterKey.allCases.map { key -> [String] in
            // The reasons have a page of their own.
            let words = key.words.count > wordsMax ? [] : key.words
            return [code(key.rawValue), clause(key.sentence), words.map(code).joined(separator: " ")]
        }
        return table(["key", "is", "words"], rows)
    }

    private static var actions: String {
        let rows = FaultActionType.allCases.map { type -> [String] in
            let words = type.words.replacing(/\{(\w+)\}/) { code(String($0.output.1)) }
            // The clock of a delay goes without saying.
            let members = type.schema.members.filter { $0.name != "clock" }
            return [code(type.rawValue), words, members.map(member).joined(separator: ", ")]
        }
        return table(["`type`", "does", "members"], rows)
    }

    /// A member with its values, if they are few words.
    private static func member(_ member: Member) -> String {
        let names: [String] =
            switch member.form {
            case .choice(let names), .either(.choice(let names), _): names
            default: []
            }
        guard (1...4).contains(names.count) else { return code(member.name) }
        return code(member.name) + " (" + names.map(code).joined(separator: ", ") + ")"
    }

    private static var deviceMembers: String {
        let uses: KeyValuePairs<String, FieldUses> = ["`POST`": .made, "`PATCH`": .changed, "filter": .filtered]
        let rows = DeviceProfile.fields.all.map { field -> [String] in
            var words: [String] = []
            if case .choice(let names) = field.member.form { words = names }
            let calls = uses.filter { field.uses.isSuperset(of: $0.value) }.map(\.key)
            return [
                code(field.name), clause(field.member.summary), words.map(code).joined(separator: " "),
                calls.joined(separator: ", "),
            ]
        }
        return table(["member", "is", "words", "taken by"], rows)
    }

    private static var columns: String {
        table(["column", "content"], PushColumn.all.map { [code($0.name), clause($0.sentence)] })
    }

    /// A sentence as the other cells are written.
    private static func clause(_ sentence: String) -> String {
        let isName = sentence.dropFirst().first?.isUppercase == true
        return (isName ? String(sentence.prefix(1)) : sentence.prefix(1).lowercased()) + sentence.dropFirst().dropLast()
    }

    /// A push as the OpenAPI document shows it, in lines of ``exampleWidth``.
    private static var push: String {
        get throws {
            let document = try JSONValue(parsing: OpenAPIDocument.text(of: RouteTable.all.routes))
            let places = ["paths", "/v1/notifications/{id}", "get", "responses", "200", "content", "application/json"]
            let answer = places.reduce(Optional(document)) { $0?[$1] }?["example"]?.object
            var lines: [String] = []
            for member in try #require(answer) {
                let name = spaced(.string(member.name)) + ": "
                let text = name + spaced(member.value)
                if let line = lines.last, line.count + 3 + text.count <= exampleWidth {
                    lines[lines.count - 1] = line + ", " + text
                } else if case .array(let elements) = member.value, text.count > exampleWidth {
                    lines.append(
                        "  \(name)[\n" + elements.map { "    " + spaced($0) }.joined(separator: ",\n") + "\n  ]")
                } else {
                    lines.append("  " + text)
                }
            }
            return "```json\n{\n\(lines.joined(separator: ",\n"))\n}\n```"
        }
    }

    private static let exampleWidth = 120

    /// JSON on one line with a space behind each comma and colon.
    private static func spaced(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(spaced).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { spaced(.string($0.name)) + ": " + spaced($0.value) }.joined(separator: ", ") + "}"
        default: value.encodedText
        }
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

    @Test("the tables of an article are the program's", arguments: articles.keys.sorted())
    func tablesAreTheProgramsOwn(article: String) throws {
        let file = Self.folder.appending(path: article + ".md")
        let text = try String(contentsOf: file, encoding: .utf8)
        var wanted = text
        for name in try #require(Self.articles[article]) {
            let begin = "<!-- \(name):begin -->"
            let end = "<!-- \(name):end -->"
            let first = try #require(wanted.range(of: begin), "\(article).md: expected a line \(begin)")
            let last = try #require(wanted.range(of: end), "\(article).md: expected a line \(end)")
            wanted.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\n\(try Self.table(name))\n\n")
        }
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
