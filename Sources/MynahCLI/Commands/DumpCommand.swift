import APNsRules
import ArgumentParser
import MynahClient

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints the journal as JSON lines, oldest first.",
        discussion: """
            All refused pushes:

              mynah dump --outcome refused
              mynah dump 'topic:com.example.app status:410' > pushes.jsonl
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Argument(help: "A line of the query language.") var query: String?

    func run() async throws {
        let client = try server.client()
        try await JournalReader(client: client, filters: JournalReader.items(query, filters)).readAll { item in
            try Terminal.out(item.encodedText)
        }
    }
}
