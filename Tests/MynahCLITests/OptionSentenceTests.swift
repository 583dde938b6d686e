import APNsRules
import ArgumentParser
import MynahCore
import Testing

@testable import MynahCLI
@testable import MynahControl

/// An option that is named as a member of the API's requests has the member's sentence, and one that names the variable
/// of a setting has the setting's, so that they change together.
@Suite("The sentences of options")
struct OptionSentenceTests {
    /// Options with a sentence of their own, by the reason for it.
    ///
    /// They only share a member's name, or mean more or less than the member. A star stands for all commands.
    private static let exceptions: KeyValuePairs = [
        "the value is the name of a file, not the text in it": [
            "* --certificate", "certs provider --csr", "key add --public-key", "key add --private-key",
        ],
        "it is written as a word with a sign in it, not as an object": ["* --screen", "* --web-push", "send --header"],
        "it is a part of a payload, which the API takes whole": [
            "send --alert", "send --title", "send --badge", "send --sound", "send --body", "send --content-state",
            "send --event",
        ],
        "it takes more than the member, or less": [
            "device activity start <topic>", "device badge <badge>", "fault set <id>", "scenario show --shipped",
        ],
        "it is about what the command does by itself": [
            "* --ready-file", "compare --deliver", "compare --environment", "compare --timeout", "compare --topic",
            "expect --name", "healthcheck --wait", "open --at", "webpush explain --application-server-key",
            "webpush explain --at",
        ],
    ]
    private static let excepted = exceptions.flatMap(\.value)

    @Test("are those of what the API and the settings have of the same name", arguments: HelpTests.Command.leaves)
    func sentences(command: HelpTests.Command) throws {
        for option in try Option.all(of: command) where !option.places.contains(where: Self.excepted.contains) {
            if let problem = try option.problem { Issue.record("\(option.word) \(problem)") }
        }
    }

    @Test("an exception is an option that needs it", arguments: excepted)
    func exception(exception: String) throws {
        let options = try HelpTests.Command.leaves.flatMap(Option.all)
        #expect(try options.contains { try $0.places.contains(exception) && $0.problem != nil })
    }

    /// An option, flag or argument as ArgumentParser describes it.
    private struct Option {
        /// As it is in the help: `--key-id`, `<id>`.
        let word: String
        /// The words for it in the list of exceptions.
        let places: [String]
        let help: String
        /// The members that it may set; a repeatable one has an element of a member at a time.
        let names: [String]

        static func all(of command: HelpTests.Command) throws -> [Option] {
            let dump = try JSONValue(parsing: Array(command.type._dumpHelp().utf8))
            return (dump["command"]?.elements("arguments") ?? []).map { Option($0, command.words) }
        }

        private init(_ argument: JSONValue, _ command: [String]) {
            let isPositional = argument.text("kind") == "positional"
            let name = isPositional ? argument.text("valueName") : argument["preferredName"]?.text("name") ?? ""
            word = isPositional ? "<\(name)>" : "--\(name)"
            places = [(command + [word]).joined(separator: " "), "* \(word)"]
            help = argument.text("abstract")
            let words = name.split(separator: "-")
            let member = words.dropFirst().reduce(String(words.first ?? "")) {
                $0 + $1.prefix(1).uppercased() + $1.dropFirst()
            }
            let isRepeatable = argument["isRepeating"]?.bool == true
            names =
                [member] + (isRepeatable ? [member + "s", member.hasSuffix("s") ? String(member.dropLast()) : ""] : [])
        }

        /// Which sentence it should have; `nil` if it has one of the API's or the setting's, or none has its name.
        var problem: String? {
            get throws {
                let setting = SettingTable.all.first { help.contains("(\($0.variable)") }
                if let setting, !help.hasPrefix(setting.help.prefix(while: { $0 != "." && $0 != ";" })) {
                    return "\"\(help)\" differs from the setting: \(setting.help)"
                }
                let api = try OptionSentenceTests.api.get()
                let own = names.flatMap { api[$0] ?? [] }
                // The values that a member may have are in front of its sentence.
                let isTaken =
                    own.contains { help.contains($0.dropLast()) } || api.values.joined().contains(where: begins)
                return own.isEmpty || isTaken ? nil : "\"\(help)\" could be one of \(own.sorted())"
            }
        }

        /// Whether the help begins with a whole sentence, before whose period something may be added.
        private func begins(with sentence: String) -> Bool {
            let clause = sentence.dropLast()
            guard !clause.isEmpty, help.hasPrefix(clause) else { return false }
            let rest = help.dropFirst(clause.count)
            return [".", ";", ",", ":", " ("].contains { rest.hasPrefix($0) }
        }
    }

    /// The sentences of the parameters of calls and of the members of requests, by their names.
    private static let api = Result {
        let document = try JSONValue(parsing: OpenAPIDocument.text(of: RouteTable.all.routes))
        var members = Members(schemas: document["components"]?["schemas"] ?? [:])
        for route in RouteTable.all.routes where route.path.hasPrefix("/v1/") {
            for member in route.parameters.flatMap(\.members) { members.add(member.summary, of: member.name) }
            if let body = route.body { members.add(.reference(body.schema)) }
        }
        return members.sentences
    }

    /// The members that schemas describe, and those below them.
    private struct Members {
        private let schemas: JSONValue
        private(set) var sentences: [String: Set<String>] = [:]
        private var seen: Set<String> = []

        init(schemas: JSONValue) { self.schemas = schemas }

        mutating func add(_ sentence: String, of name: String) {
            // The document has a default in words where a type of JSON Schema can't have it.
            let end = sentence.firstRange(of: " By default ")?.lowerBound ?? sentence.endIndex
            for sentence in [sentence, String(sentence[..<end])] where !sentence.isEmpty {
                sentences[name, default: []].insert(sentence)
            }
        }

        mutating func add(_ schema: JSONValue) {
            for part in schema.array ?? [] { add(part) }
            for part in schema.object ?? [] {
                switch part.name {
                case "$ref":
                    let name = part.value.string?.split(separator: "/").last.map(String.init) ?? ""
                    if seen.insert(name).inserted { add(schemas[name] ?? [:]) }
                case "properties":
                    for property in part.value.object ?? [] {
                        add(property.value.text("description"), of: property.name)
                        add(property.value)
                    }
                case "default", "description", "example", "examples": break
                default: add(part.value)
                }
            }
        }
    }
}
