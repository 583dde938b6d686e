import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// `mynah scenario`: fault rules that come and go by a script, from a shell.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Lists, shows, starts and ends scenarios: fault rules that come and go by a script.",
        subcommands: [
            ScenarioListCommand.self, ScenarioShowCommand.self, ScenarioAddCommand.self, ScenarioRemoveCommand.self,
        ], defaultSubcommand: ScenarioListCommand.self)
}

/// `mynah scenario list`.
struct ScenarioListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the scenarios that run, or those that are shipped.",
        discussion: """
            A line has the name, how many of its steps are done, what the next one waits
            for, and the rules that it has added. --shipped needs no server.

              mynah scenario list
              mynah scenario ls --shipped
              mynah scenario ls --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print the scenarios that are part of the program.") var shipped = false
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

/// `mynah scenario show`.
struct ScenarioShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one scenario as JSON: its steps, and how far it has come.",
        discussion: """
            With --shipped one that is part of the program, which need not run.

              mynah scenario show throttling-storm
              mynah scenario show --shipped token-purge-day
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The scenario's name.") var name: String
    @Flag(help: "Print one that is part of the program.") var shipped = false
    @Flag(help: "Print JSON, which it does anyway.") var json = false

    func run() async throws {
        guard shipped else { return try Terminal.out(try await server.client().scenario(name).encodedText) }
        guard let scenario = ShippedScenarios.named(name) else {
            throw CommandFailure(
                .usage,
                "no shipped scenario is called \(name)"
                    + NearestName.suggestion(for: name, among: ShippedScenarios.names)
                    + "\nshipped: \(ShippedScenarios.names.joined(separator: ", "))")
        }
        try Terminal.out(scenario.json.encodedText)
    }
}

/// `mynah scenario add`.
struct ScenarioAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Lets a scenario begin: a shipped one by its name, or one from a file.",
        discussion: """
            What is called as a shipped one is that; ./NAME is a file.

              mynah scenario add token-purge-day
              mynah scenario add scenarios/monday.yaml --json
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "A name, or a file in YAML or JSON.") var scenario: String
    @Flag(help: "Print the scenario as JSON.") var json = false

    func run() async throws {
        let answer = try await server.client().startScenario(try ScenarioSource(scenario, place: "").scenario.json)
        try Terminal.out(json ? answer.encodedText : FaultLines.row(ofScenario: answer))
    }
}

/// `mynah scenario remove`.
struct ScenarioRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Ends scenarios and removes the rules that they have added.",
        discussion: """
              mynah scenario remove token-purge-day
              mynah scenario rm --all
            """, aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "Names of scenarios.") var names: [String] = []
    @Flag(help: "End all scenarios.") var all = false
    @Flag(help: "Print as JSON what was removed, a line per name.") var json = false

    func validate() throws { guard names.isEmpty == all else { throw ValidationError("give names, or --all") } }

    func run() async throws {
        let client = try server.client()
        for name in all ? [nil] : names.map(Optional.some) {
            let removed = try await client.removeScenario(name)
            if json { try Terminal.out(removed.encodedText) }
        }
    }
}
