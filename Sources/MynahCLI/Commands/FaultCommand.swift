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
        var members = words.object ?? []
        let given = members.first { $0.name == "match" }?.value.object ?? []
        members.removeAll { $0.name == "match" }
        let kept = given.filter { member in !match.contains { $0.name == member.name } }
        members.insert(JSONMember("match", .object(kept + match)), at: 0)
        return .object(members)
    }
}

struct FaultListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the rules in the order of evaluation.",
        discussion: """
            A line has the id, whether the rule is enabled, how often it fired and matched,
            the scope, the actions, and the name.

              mynah fault list
              mynah fault ls --scope t42 --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: "Rules of this scope, repeatable.") var scope: [String] = []
    @Option(help: "Rules with this action, repeatable.") var action: [String] = []
    @Option(help: "Rules for the event accept, handshake or request.") var event: [String] = []
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let filters = [QueryItem](given: ["scope": scope, "action": action, "event": event])
        for rule in try await server.client().faults(filters) {
            try Terminal.out(json ? rule.encodedText : FaultLines.row(rule))
        }
    }
}

struct FaultShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one rule as JSON, with its counters.",
        discussion: """
              mynah fault show f-1
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The rule's id.") var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.client().fault(id).encodedText) }
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
              mynah fault add --file rules.yaml

            For goaway and the presets that close, --after N means every N-th push of each
            connection; the rule has not fired before.

            Statuses have --reason --timestamp --body --delay --deliver. All presets have:

            \(FaultLines.options)

            Presets, with their own options below:

            \(FaultLines.presets)
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it applies to") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("A preset and its options.", valueName: "preset"))
    var words: [String] = []
    @Option(help: ArgumentHelp("A rule or a list of rules, YAML or JSON, instead of a preset.", valueName: "file"))
    var file: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let answer = try await server.client().addFaults(try document())
        guard !json else { return try Terminal.out(answer.encodedText) }
        for rule in answer["items"]?.array ?? [answer] { try Terminal.out(rule["id"]?.string ?? "") }
    }

    /// The body of the call.
    func document() throws -> JSONValue {
        let match = match.match()
        guard let file else {
            do { return FaultCommand.rule(try FaultPreset.parse(words), match) } catch {
                throw CommandFailure(.usage, error.description)
            }
        }
        guard words.isEmpty, match.isEmpty else {
            throw CommandFailure(.usage, "--file has complete rules: leave out presets and other flags")
        }
        // Read before they are sent, so that an error names its line.
        let document = try LocatedDocument(file: file, from: "--file")
        do { _ = try FaultDraft.list(json: document.value) } catch {
            throw document.failure(error)
        }
        return document.value
    }
}

/// `mynah fault set`: changes a part of a rule.
struct FaultSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a part of a rule; its counters continue.",
        discussion: """
            The id may be followed by a preset and its options, as of mynah fault add, or
            by the options that all presets have.

              mynah fault set f-1 --disable
              mynah fault set f-1 --enable --times 5 --topic com.example.app
              mynah fault set f-1 503 --delay 2s
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The requests that it applies to") var match: FaultMatchOptions
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The id, then the changes.", valueName: "id")) var words:
        [String] = []
    @Flag(help: "Enable the rule.") var enable = false
    @Flag(help: "Disable the rule.") var disable = false
    @Flag(help: "Print the rule as JSON.") var json = false

    func run() async throws {
        guard !enable || !disable else {
            throw CommandFailure(.usage, "--enable and --disable: give one of them")
        }
        guard let id = words.first, !id.hasPrefix("-") else {
            throw CommandFailure(.usage, "missing id: expected that of a rule; mynah fault list prints them")
        }
        var change: JSONValue
        let match = match.match()
        do {
            change = FaultCommand.rule(try FaultPreset.parseChanges(Array(words.dropFirst())), match)
        } catch { throw CommandFailure(.usage, error.description) }
        if enable || disable { change = .object((change.object ?? []) + [JSONMember("enabled", .bool(enable))]) }
        guard change.object?.isEmpty == false else {
            throw CommandFailure(.usage, "nothing to change: see mynah fault set --help")
        }
        let rule = try await server.client().changeFault(id, change)
        try Terminal.out(json ? rule.encodedText : FaultLines.row(rule))
    }
}

struct FaultRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes rules by id, by scope, or all.",
        discussion: """
              mynah fault remove f-1 f-2
              mynah fault rm --scope t42
              mynah fault remove --all
            """, aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "Ids of rules.") var ids: [String] = []
    @Option(help: "Remove the rules of this scope, repeatable.") var scope: [String] = []
    @Flag(help: "Remove all rules.") var all = false
    @Flag(help: "Print what was removed as JSON.") var json = false

    func validate() throws {
        guard [!ids.isEmpty, !scope.isEmpty, all].filter({ $0 }).count == 1 else {
            throw ValidationError("expected ids, --scope or --all")
        }
    }

    func run() async throws {
        let client = try server.client()
        var count = Int64(ids.count)
        for id in ids { try await client.removeFault(id) }
        if ids.isEmpty {
            let answer = try await client.removeFaults([QueryItem](given: ["scope": scope]))
            count = answer["removed"]?["faults"]?.integer ?? 0
        }
        let removed: JSONValue = ["removed": ["faults": .number(JSONNumber(count))]]
        if json { try Terminal.out(removed.encodedText) }
    }
}
