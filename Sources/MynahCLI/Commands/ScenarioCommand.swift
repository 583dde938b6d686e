import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Lists, shows, starts and ends scenarios: fault rules that come and go by a script.",
        subcommands: [
            ScenarioListCommand.self, ScenarioShowCommand.self, ScenarioAddCommand.self, ScenarioRemoveCommand.self,
        ], defaultSubcommand: ScenarioListCommand.self)
}

struct ScenarioListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the running scenarios, or the shipped ones.",
        discussion: """
            A line has the name, the number of completed steps, what the next step waits
            for, and the added rules. --shipped needs no server.

              mynah scenario list
              mynah scenario ls --shipped
              mynah scenario ls --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print the shipped scenarios.") var shipped = false
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        guard !shipped else {
            for scenario in ShippedScenarios.all { try Terminal.out(json ? scenario.json.encodedText : scenario.name) }
            return
        }
        for scenario in try await server.client().scenarios() {
            try Terminal.out(json ? scenario.encodedText : FaultLines.row(ofScenario: scenario))
        }
    }
}

struct ScenarioShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one scenario as JSON: its steps and its progress.",
        discussion: """
            With --shipped, it need not run.

              mynah scenario show throttling-storm
              mynah scenario show --shipped token-purge-day
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The scenario's name.") var name: String
    @Flag(help: "Print a shipped scenario.") var shipped = false
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        guard shipped else { return try Terminal.out(try await server.client().scenario(name).encodedText) }
        guard let scenario = ShippedScenarios.named(name) else {
            throw CommandFailure(
                .usage,
                "unknown shipped scenario \(name)"
                    + NearestName.suggestion(for: name, among: ShippedScenarios.names)
                    + "\nshipped: \(ShippedScenarios.names.joined(separator: ", "))")
        }
        try Terminal.out(scenario.json.encodedText)
    }
}

struct ScenarioAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Starts a scenario: a shipped one by its name, or one from a file.",
        discussion: """
            The name of a shipped scenario has precedence; ./NAME is a file.

              mynah scenario add token-purge-day
              mynah scenario add scenarios/monday.yaml --json
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "A name, or a file in YAML or JSON.") var scenario: String
    @Flag(help: "Print the scenario as JSON.") var json = false

    func run() async throws {
        let answer = try await server.client().startScenario(try ScenarioSource(scenario, from: nil).scenario.json)
        try Terminal.out(json ? answer.encodedText : FaultLines.row(ofScenario: answer))
    }
}

struct ScenarioRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Ends scenarios and removes their rules.",
        discussion: """
              mynah scenario remove token-purge-day
              mynah scenario rm --all
            """, aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "Names of scenarios.") var names: [String] = []
    @Flag(help: "End all scenarios.") var all = false
    @Flag(help: "Print what was removed as JSON, a line per name.") var json = false

    func validate() throws { guard names.isEmpty == all else { throw ValidationError("expected names or --all") } }

    func run() async throws {
        let client = try server.client()
        for name in all ? [nil] : names.map(Optional.some) {
            let removed = try await client.removeScenario(name)
            if json { try Terminal.out(removed.encodedText) }
        }
    }
}
