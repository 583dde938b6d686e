import APNsRules
import ArgumentParser
import MynahClient

/// `mynah reset`: back to the state after start.
struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Brings the server back to its state after start, and prints what was removed as JSON.",
        discussion: """
            Everything, or only the journal, or only what belongs to one test's scope:

              mynah reset
              mynah reset --only notifications
              mynah reset --scope t42
            """)

    @OptionGroup var server: ServerOptions

    @Option(help: "A part to reset, repeatable: notifications, devices, faults, clock, keys, connections.")
    var only: [String] = []

    @Option(help: "Only what belongs to this scope.") var scope: String?

    func run() async throws {
        let answer = try await server.client().reset(only: only.isEmpty ? nil : only, scope: scope)
        try Terminal.out(answer.encodedText)
    }
}
