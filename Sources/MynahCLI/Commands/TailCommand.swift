import APNsRules
import ArgumentParser
import MynahClient

/// `mynah tail`: pushes as they come.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows pushes as they come: a table on a terminal, JSON lines otherwise.",
        discussion: """
            Everything from now on, or only what one app is refused:

              mynah tail
              mynah tail 'topic:com.example.app outcome:refused'

            From the beginning: mynah tail --after 0
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Argument(help: "A line of the query language.") var query: String?

    @Option(help: "Begin after this sequence number (default: what comes from now on).") var after: Int64?
    @Flag(help: "JSON lines on a terminal, too.") var json = false

    func run() async throws {
        let reader = JournalReader(client: try server.client(), filters: JournalReader.items(query, filters))
        let isTable = Terminal.hasOutput && !json
        let table = PushTable(hasColours: Terminal.hasColours(ProcessEnvironment.variables))
        if isTable { try Terminal.out(table.heading) }
        try await reader.follow(after: after) { item in
            try Terminal.out(isTable ? table.row(item) : item.encodedText)
        }
    }
}
