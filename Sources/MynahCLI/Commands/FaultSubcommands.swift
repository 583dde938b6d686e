import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Lists, adds, changes and removes fault rules: what goes wrong, when, and for which requests.",
        subcommands: [
            FaultListCommand.self, FaultShowCommand.self, FaultAddCommand.self, FaultSetCommand.self,
            FaultRemoveCommand.self,
        ], defaultSubcommand: FaultListCommand.self)

    /// A rule, or the change of one, from a preset's words and the flags.
    static func rule(_ words: JSONValue, _ match: [JSONMember]) -> JSONValue {
        guard !match.isEmpty else { return words }
        let given = words["match"]?.object ?? []
        let kept = given.filter { member in !match.contains { $0.name == member.name } }
        let others = (words.object ?? []).filter { $0.name != "match" }
        return .object([JSONMember("match", .object(kept + match))] + others)
    }

    static var columns: ListColumns {
        ListColumns([
            ListColumn("ID") { $0.cell("id") }, ListColumn("STATE") { $0["enabled"]?.bool == false ? "off" : "on" },
            ListColumn("FIRED") { $0.count("fired") }, ListColumn("MATCHED") { $0.count("matched") },
            ListColumn("SCOPE") { $0.cell("scope") },
            ListColumn("DOES") { words("does", of: $0, separator: "; ") },
            ListColumn("APPLIES TO") { words("matches", of: $0) }, ListColumn("WHEN") { words("fires", of: $0) },
            ListColumn("NAME") { $0.cell("name") },
        ])
    }

    /// The server's words for a rule, as the page has them too.
    private static func words(_ part: String, of rule: JSONValue, separator: String = ", ") -> String {
        let phrases = rule["words"]?[part]?.array?.compactMap(\.string) ?? []
        return phrases.isEmpty ? "-" : phrases.joined(separator: separator)
    }

    /// Refuses an option that has the name of a header with the filter that is meant: `--apns-priority` is `--priority`.
    static func checkFilters(_ words: [String]) throws(CommandFailure) {
        let prefix = "--apns-"
        for word in words where word.hasPrefix(prefix) {
            let option = word.prefix { $0 != "=" }
            let name = option.dropFirst(prefix.count)
            let key = FilterKey.allCases.first { $0.rawValue.lowercased() == name.filter { $0 != "-" } }
            guard key != nil else { continue }
            throw CommandFailure(.usage, "unknown option \(option): did you mean \"--\(name)\"?")
        }
    }

    /// Refuses an unknown preset with the few that may be meant.
    static func checkPreset(_ name: String?) throws(CommandFailure) {
        let pointer = "`mynah help faults` lists them"
        guard let name else {
            throw CommandFailure(
                .usage, "missing preset: expected one, such as 503, slow or goaway, a reason, or --file; \(pointer)")
        }
        guard !FaultPreset.names.contains(name) else { return }
        let statuses = FaultPreset.names.filter { Int($0) != nil }
        let hint =
            Int(name) == nil
            ? Spelling.hint(name, FaultPreset.names)
            : ": expected \(InputError.alternatives(statuses)), or a rule with another status in --file"
        let expected = hint.isEmpty ? ": expected one, such as 503, slow or goaway, or a reason; \(pointer)" : hint
        throw CommandFailure(.usage, "unknown preset \"\(name)\"\(expected)")
    }
}

struct FaultListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the rules in the order of evaluation.",
        discussion: """
            DOES, APPLIES TO and WHEN say in words what a rule does, to which requests, and
            on which of these it acts; mynah fault show has the rule as it was made.

              mynah fault list
              mynah fault list --fired false    # those that no request has met
              mynah fault ls --scope t42 --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .parameter("scope", of: "listFaults", "; repeatable, like all filters")) var scope: [String] = []
    @Option(help: .parameter("action", of: "listFaults")) var action: [String] = []
    @Option(help: .parameter("fired", of: "listFaults", value: "true|false")) var fired: String?
    @Option(help: .parameter("event", of: "listFaults")) var event: [String] = []
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let filters = [QueryItem](given: ["scope": scope, "action": action, "fired": fired, "event": event])
        try Terminal.out(try await server.documents().faults(filters), asJSON: json, in: FaultCommand.columns)
    }
}

struct FaultShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one rule as JSON, with its counters.",
        discussion: "  mynah fault show f-1")

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getFault")) var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().fault(id).encodedText) }
}

struct FaultAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a rule from a preset, or rules from a file; prints the ids.",
        discussion: """
            A preset is a word of the list below, or a reason of APNs. Flags select the
            requests; without any, the rule applies to all.

              mynah fault add 410 --topic com.example.app --times 3
              mynah fault add TooManyRequests --every 2 --scope t42
              mynah fault add goaway --after 100
              mynah fault add slow --delay 5s --payload /aps/category=NEWS
              mynah fault add 503 --answer-header retry-after=5
              mynah fault add --file rules.yaml

            For goaway and the presets that close, --after N means every N-th push of each
            connection; the rule has not fired before.

            Statuses have --reason --timestamp --body --answer-header --delay --deliver.
            All presets have:

            \(FaultHelp.options)

            Presets, with their own options below:

            \(FaultHelp.presets)
            """, aliases: ["create"])

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it applies to") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: .value("preset", "A preset and its options.")) var words: [String] = []
    @Option(help: .value("file", "A rule or a list of rules, YAML or JSON, instead of a preset.")) var file: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let answer = try await server.documents().addFaults(try document())
        guard !json else { return try Terminal.out(answer.encodedText) }
        for rule in answer["items"]?.array ?? [answer] { try Terminal.out(rule.text("id")) }
    }

    func document() throws -> JSONValue {
        let match = match.members
        guard let file else {
            try FaultCommand.checkPreset(words.first)
            try FaultCommand.checkFilters(words)
            return FaultCommand.rule(try FaultPreset.parse(words), match)
        }
        guard words.isEmpty, match.isEmpty else {
            throw CommandFailure(.usage, "--file has complete rules: leave out presets and other flags")
        }
        // Checked before they are sent, so that an error names its line.
        let document = try LocatedDocument(file: file, from: "--file")
        _ = try document.read { (json) throws(InputError) in try FaultDraft.list(json: json) }
        return document.value
    }
}

struct FaultSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a part of a rule; its counters continue.",
        discussion: """
            The id may be followed by a preset and its options, as of mynah fault add, or
            by the options that all presets have.

              mynah fault set f-1 --disable
              mynah fault set f-1 --enable --times 5 --topic com.example.app
              mynah fault set f-1 503 --delay 2s
            """, aliases: ["update"])

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it applies to") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: .value("id", "The id, then the changes.")) var words: [String] = []
    @Flag(help: .member("enabled", of: FaultDraft.schema)) var enabled: [Ability] = []
    @Flag(help: "Print the rule as JSON.") var json = false

    enum Ability: EnumerableFlag { case enable, disable }

    func run() async throws {
        if let problem = enabled.contradiction { throw CommandFailure(.usage, problem) }
        guard let id = words.first, !id.hasPrefix("-") else {
            throw CommandFailure(.usage, "missing id: expected that of a rule; mynah fault list prints them")
        }
        let changes = Array(words.dropFirst())
        try FaultCommand.checkFilters(changes)
        if let first = changes.first, !first.hasPrefix("-") { try FaultCommand.checkPreset(first) }
        let rule = FaultCommand.rule(try FaultPreset.parseChanges(changes), match.members)
        let change = (rule.object ?? []) + [JSONMember](given: ["enabled": enabled.value])
        guard !change.isEmpty else { throw CommandFailure(.usage, "nothing to change: see mynah fault set --help") }
        let answer = try await server.documents().changeFault(id, .object(change))
        try Terminal.out([answer], asJSON: json, in: FaultCommand.columns)
    }
}

struct FaultRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes rules by id, by scope, or all.",
        discussion: """
              mynah fault remove f-1 f-2
              mynah fault rm --scope t42
              mynah fault remove --all
            """, aliases: ["delete", "rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "deleteFault", "; repeatable")) var ids: [String] = []
    @Option(help: .parameter("scope", of: "deleteFaults", "; repeatable")) var scope: [String] = []
    @Flag(help: "Remove all rules.") var all = false
    @Flag(help: "Print what was removed as JSON.") var json = false

    func validate() throws {
        let given = [!ids.isEmpty, !scope.isEmpty, all].count { $0 }
        try require(given > 0, "expected ids, --scope or --all")
        try requireIDs(ids, of: "rules")
        try require(given == 1, "ids, --scope and --all exclude each other: expected one of them")
    }

    func run() async throws {
        let client = try server.client()
        var count = Int64(ids.count)
        for id in ids { try await client.documents.removeFault(id) }
        if ids.isEmpty {
            let answer = try await client.documents.removeFaults([QueryItem](given: ["scope": scope]))
            count = answer["removed"]?["faults"]?.integer ?? 0
        }
        try Terminal.out(["removed": ["faults": .number(JSONNumber(count))]], asJSON: json)
    }
}

/// Selects the requests or connections of a fault rule: one flag per filter key; a repeated flag matches any of its
/// values.
struct FaultMatchOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: .filter(.priority)) var priority: [String] = []
    @Option(
        help: .member(
            "headers", of: FaultMatch.schema, ", like user-agent=my-app; with ~= a part of it", value: "name=value"),
        transform: NamedValue.reading("a name, = and a value, like user-agent=my-app"))
    var header: [NamedValue] = []
    @Option(help: .member("event", of: FaultMatch.schema)) var event: String?

    var members: [JSONMember] {
        let headers = header.map { MatchTerm(key: "headers", pointer: $0.name.lowercased(), value: $0.value) }
        let priorities = priority.map { MatchTerm(key: FilterKey.priority.rawValue, value: $0) }
        return MatchTerm.match(request.terms(and: priorities) + headers)
            + [JSONMember](given: ["event": event])
    }
}

/// The presets and their options for the help of `mynah fault add`, at most 78 columns.
enum FaultHelp {
    static var presets: String {
        FaultPreset.all.flatMap { preset in
            // The options that all statuses share are listed only once.
            let isStatus = preset.name.utf8.allSatisfy(\.isASCIIDigit)
            let options = isStatus ? [] : preset.options.map { "--" + $0.name }
            return ["  " + TextTable.padded(preset.name, 15) + preset.help]
                + TextTable.wrapped(options, indent: 18, width: 78)
        }.joined(separator: "\n")
    }

    static var options: String {
        var seen: Set<String> = []
        return FaultPreset.commonOptions.filter { seen.insert($0.name).inserted }.map { option in
            "  " + TextTable.padded("--" + option.name + " " + option.value, 21) + option.help
        }.joined(separator: "\n")
    }
}
