import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahControl
import MynahCore

struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Lists, shows, starts and ends scenarios: fault rules that come and go by a script.",
        subcommands: [
            ScenarioListCommand.self, ScenarioShowCommand.self, ScenarioAddCommand.self, ScenarioRemoveCommand.self,
        ], defaultSubcommand: ScenarioListCommand.self)

    /// Shipped scenarios, with the first sentence about each.
    static var shippedColumns: ListColumns {
        ListColumns([
            ListColumn("NAME") { $0.cell("name") },
            ListColumn("WHAT HAPPENS") { scenario in
                let text = scenario["description"]?.string ?? ""
                return text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
            },
        ])
    }

    static var columns: ListColumns {
        ListColumns([
            ListColumn("NAME") { $0.cell("name") }, ListColumn("SCOPE") { $0.cell("scope") },
            ListColumn("STEPS") { "\($0["stepsDone"]?.integer ?? 0)/\($0["steps"]?.array?.count ?? 0)" },
            ListColumn("NEXT AFTER") { scenario in
                let next = scenario["next"]?["after"]
                return next?.string ?? next?["pushes"]?.integer.map { "\($0) pushes" } ?? "-"
            },
            ListColumn("RULES") { scenario in
                let rules = scenario.elements("rules").compactMap(\.string)
                return rules.isEmpty ? "-" : rules.joined(separator: ",")
            },
        ])
    }
}

struct ScenarioListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the running scenarios, or the shipped ones.",
        discussion: """
            STEPS are the completed ones of all; NEXT AFTER is what the next step waits
            for, RULES are the added ones. --shipped needs no server.

              mynah scenario list
              mynah scenario list --scope t42
              mynah scenario ls --shipped
              mynah scenario ls --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .parameter("scope", of: "listScenarios")) var scope: String?
    @Flag(help: .parameter("shipped", of: "listScenarios")) var shipped = false
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        try require(!shipped || scope == nil, "shipped scenarios have no scope: give one of them")
    }

    func run() async throws {
        if shipped {
            let scenarios = ShippedScenarios.all.map(\.json)
            try Terminal.out(scenarios, asJSON: json, in: ScenarioCommand.shippedColumns)
        } else {
            let scenarios = try await server.documents().scenarios(ofScope: scope)
            try Terminal.out(scenarios, asJSON: json, in: ScenarioCommand.columns)
        }
    }
}

struct ScenarioShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one scenario as JSON: its steps and its progress.",
        discussion: """
            With --shipped, it need not run.

              mynah scenario show throttling-storm
              mynah scenario show throttling-storm --scope t42
              mynah scenario show --shipped token-purge-day
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("name", of: "getScenario")) var name: String
    @Option(help: .parameter("scope", of: "getScenario")) var scope: String?
    @Flag(help: "Print a shipped scenario.") var shipped = false
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        guard shipped else {
            return try Terminal.out(try await server.documents().scenario(name, ofScope: scope).encodedText)
        }
        guard let scenario = ShippedScenarios.named(name) else {
            throw CommandFailure(.notFound, "unknown shipped scenario \(name)" + ScenarioSource.hint(name))
        }
        try Terminal.out(scenario.json.encodedText)
    }
}

struct ScenarioAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Starts a scenario: a shipped one by its name, or one from a file.",
        discussion: """
            The name of a shipped scenario has precedence; ./NAME is a file. In a scope
            its rules touch only pushes to devices of the scope, and its steps follow the
            scope's clock; rules of connections and numbers of pushes need the whole
            server.

              mynah scenario add token-purge-day
              mynah scenario add token-purge-day --scope t42
              mynah scenario add scenarios/monday.yaml --json
            """, aliases: ["start", "run", "create"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "A name, or a file in YAML or JSON.") var scenario: String
    @Option(help: .member("scope", of: Scenario.schema, " (default: the scenario's, or the whole server)")) var scope:
        String?
    @Flag(help: "Print the scenario as JSON.") var json = false

    func run() async throws {
        let source = try ScenarioSource(scenario, from: nil)
        let answer = try await server.documents().startScenario(try source.scenario(ofScope: scope).json)
        try Terminal.out([answer], asJSON: json, in: ScenarioCommand.columns)
    }
}

struct ScenarioRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Ends scenarios and removes their rules.",
        discussion: """
              mynah scenario remove token-purge-day
              mynah scenario remove token-purge-day --scope t42
              mynah scenario remove --all --scope t42
              mynah scenario rm --all
            """, aliases: ["rm", "stop", "delete"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("name", of: "deleteScenario", "; repeatable")) var names: [String] = []
    @Option(help: .parameter("scope", of: "deleteScenario")) var scope: String?
    @Flag(help: "End all scenarios, with --scope those of the scope.") var all = false
    @Flag(help: "Print what was removed as JSON, a line per name.") var json = false

    func validate() throws { guard names.isEmpty == all else { throw ValidationError("expected names or --all") } }

    func run() async throws {
        let client = try server.client()
        for name in all ? [nil] : names.map(Optional.some) {
            try Terminal.out(try await client.documents.removeScenario(name, ofScope: scope), asJSON: json)
        }
    }
}

/// A scenario of the command line: a shipped one by its name, or one from a file.
struct ScenarioSource: Sendable {
    let scenario: Scenario
    // The file; `nil` for a shipped scenario.
    private let document: LocatedDocument?

    /// Finds a scenario: the name of a shipped one, or a file; `./NAME` is always a file.
    init(_ text: String, from origin: String? = "--scenario") throws(CommandFailure) {
        if let shipped = ShippedScenarios.named(text) {
            self.scenario = shipped
            self.document = nil
            return
        }
        guard FileAccess.exists(text) else {
            let place = origin.map { $0 + ": " } ?? ""
            throw CommandFailure(
                origin == nil ? .notFound : .configuration,
                "\(place)\(text) is neither a file nor a shipped scenario" + ScenarioSource.hint(text))
        }
        let document = try LocatedDocument(file: text, from: origin)
        self.scenario = try document.read { (json) throws(InputError) in try Scenario(json: json) }
        self.document = document
    }

    /// The scenario in a scope, by default its own.
    func scenario(ofScope scope: String?) throws(CommandFailure) -> Scenario {
        guard let scope else { return scenario }
        do throws(InputError) {
            return try scenario.within(scope)
        } catch {
            throw document?.failure(error)
                ?? CommandFailure(.usage, "scenario \(scenario.name) can't run in a scope: \(error.problem)")
        }
    }

    /// The failure for one of `sources` that a server refuses, below `/scenarios`; `nil` for another error.
    static func failure(_ error: InputError, of sources: [ScenarioSource]) -> CommandFailure? {
        let steps = error.field.split(separator: "/", maxSplits: 2)
        guard steps.first == "scenarios", steps.count > 1, let index = Int(steps[1]), sources.indices.contains(index)
        else { return nil }
        let source = sources[index]
        return source.document?.failure(error.at(steps.count > 2 ? "/\(steps[2])" : ""))
            ?? CommandFailure(.configuration, "--scenario \(source.scenario.name): \(error.problem)")
    }

    /// The shipped scenario that is nearest to a name, or all of them, for the end of a message.
    static func hint(_ name: String) -> String {
        let names = ShippedScenarios.names
        let hint = Spelling.hint(name, names)
        return hint.isEmpty ? "\nshipped: \(names.joined(separator: ", "))" : hint
    }
}
