import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahControl
import MynahCore

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Resets the server to its state after the start; prints what was removed as JSON.",
        discussion: """
            Everything, only the journal, or only one test's scope:

              mynah reset
              mynah reset --only notifications
              mynah reset --scope t42
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: .member("only", of: RequestSchemas.reset.schema))
    var only: [String] = []
    @Option(help: .member("scope", of: RequestSchemas.reset.schema)) var scope: String?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        let answer = try await server.documents().reset(only: only.isEmpty ? nil : only, scope: scope)
        try Terminal.out(answer.encodedText)
    }
}
