import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// `mynah fault`: what the server does wrong, from a shell.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Lists, adds, changes and removes fault rules: what the server does wrong, when, and to whom.",
        subcommands: [
            FaultListCommand.self, FaultShowCommand.self, FaultAddCommand.self, FaultSetCommand.self,
            FaultRemoveCommand.self,
        ], defaultSubcommand: FaultListCommand.self)

    /// A rule, or what changes of one: what words and flags say together.
    static func rule(_ words: JSONValue, _ match: [JSONMember]) -> JSONValue {
        guard !match.isEmpty else { return words }
        var members = words.object ?? []
        let given = members.first { $0.name == "match" }?.value.object ?? []
        members.removeAll { $0.name == "match" }
        let kept = given.filter { member in !match.contains { $0.name == member.name } }
        members.insert(JSONMember("match", .object(kept + match)), at: 0)
        return .object(members)
    }
}

/// `mynah fault list`.
struct FaultListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the rules in the order in which they are asked.",
        discussion: """
            A line has the id, whether the rule is in force, how often it fired of how many
            matches, the scope, what it does, and its name.

              mynah fault list
              mynah fault ls --scope t42 --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: "Rules of this scope, repeatable.") var scope: [String] = []
    @Option(help: "Rules with this action, repeatable.") var action: [String] = []
    @Option(help: "Rules asked at accept, handshake or request.") var event: [String] = []
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let filters =
            scope.map { QueryItem("scope", $0) } + action.map { QueryItem("action", $0) }
            + event.map { QueryItem("event", $0) }
        for rule in try await server.client().faults(filters) {
            try Terminal.out(json ? rule.encodedText : FaultLines.row(rule))
        }
    }
}

/// `mynah fault show`.
struct FaultShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one rule as JSON, its counters included.",
        discussion: """
              mynah fault show f-1
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The rule's id.") var id: String
    @Flag(help: "Print JSON, which it does anyway.") var json = false

    func run() async throws { try Terminal.out(try await server.client().fault(id).encodedText) }
}

/// `mynah fault add`.
struct FaultAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a rule from a preset, or rules from a file; prints their ids.",
        discussion: """
            A preset is a word of the list below, or a reason as APNs spells it. Flags say
            which requests it is about; without one it is about all.

              mynah fault add 410 --topic com.example.app --times 3
              mynah fault add TooManyRequests --every 2 --scope t42
              mynah fault add goaway --after 100
              mynah fault add slow --delay 5s --payload /aps/category=NEWS
              mynah fault add --file rules.yaml

            --after N, of goaway and the presets that close, is every N-th push of each
            connection; the rule has not fired before.

            Statuses take --reason --timestamp --body --delay --deliver. All presets take:

            \(FaultLines.options)

            Presets, with their own options below:

            \(FaultLines.presets)
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it is about") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("A preset and its options.", valueName: "preset"))
    var words: [String] = []
    @Option(help: ArgumentHelp("A rule or a list of rules, YAML or JSON, in place of a preset.", valueName: "file"))
    var file: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let answer = try await server.client().addFaults(try document())
        guard !json else { return try Terminal.out(answer.encodedText) }
        for rule in answer["items"]?.array ?? [answer] { try Terminal.out(rule["id"]?.string ?? "") }
    }

    /// What is sent.
    func document() throws -> JSONValue {
        let match = match.match()
        guard let file else {
            do throws(InputError) { return FaultCommand.rule(try FaultPreset.parse(words), match) } catch {
                throw CommandFailure(.usage, error.description)
            }
        }
        guard words.isEmpty, match.isEmpty else {
            throw CommandFailure(.usage, "--file has whole rules; leave presets and other flags out")
        }
        return try DescribedRules.read(file)
    }
}

/// `mynah fault set`: changes a part of a rule.
struct FaultSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a rule; what is not named stays, and its counters go on.",
        discussion: """
            After the id a preset and its options may stand, as of mynah fault add, or the
            options that all presets take.

              mynah fault set f-1 --disable
              mynah fault set f-1 --enable --times 5 --topic com.example.app
              mynah fault set f-1 503 --delay 2s
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it is about") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The id, then what changes.", valueName: "id")) var words:
        [String] = []
    @Flag(help: "Bring it into force.") var enable = false
    @Flag(help: "Take it out of force.") var disable = false
    @Flag(help: "Print the rule as JSON.") var json = false

    func run() async throws {
        guard !enable || !disable else {
            throw CommandFailure(.usage, "--enable and --disable are both there; keep one of them")
        }
        guard let id = words.first, !id.hasPrefix("-") else {
            throw CommandFailure(.usage, "the id of a rule was expected; mynah fault list prints them")
        }
        var change: JSONValue
        let match = match.match()
        do throws(InputError) {
            change = FaultCommand.rule(try FaultPreset.parseChanges(Array(words.dropFirst())), match)
        } catch { throw CommandFailure(.usage, error.description) }
        if enable || disable { change = .object((change.object ?? []) + [JSONMember("enabled", .bool(enable))]) }
        guard change.object?.isEmpty == false else {
            throw CommandFailure(.usage, "nothing to change; see mynah fault set --help")
        }
        let rule = try await server.client().changeFault(id, change)
        try Terminal.out(json ? rule.encodedText : FaultLines.row(rule))
    }
}

/// `mynah fault remove`.
struct FaultRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes rules by their ids, those of a scope, or all.",
        discussion: """
              mynah fault remove f-1 f-2
              mynah fault rm --scope t42
              mynah fault remove --all
            """, aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "Ids of rules.") var ids: [String] = []
    @Option(help: "Remove the rules of this scope, repeatable.") var scope: [String] = []
    @Flag(help: "Remove all rules.") var all = false
    @Flag(help: "Print as JSON what was removed.") var json = false

    func validate() throws {
        guard [!ids.isEmpty, !scope.isEmpty, all].filter({ $0 }).count == 1 else {
            throw ValidationError("give ids, or --scope, or --all")
        }
    }

    func run() async throws {
        let client = try server.client()
        var count: Int64 = 0
        for id in ids {
            try await client.removeFault(id)
            count += 1
        }
        if ids.isEmpty {
            let answer = try await client.removeFaults(scope.map { QueryItem("scope", $0) })
            count = answer["removed"]?["faults"]?.integer ?? 0
        }
        let removed: JSONValue = ["removed": ["faults": .number(JSONNumber(count))]]
        if json { try Terminal.out(removed.encodedText) }
    }
}
