import APNsRules
import ArgumentParser
import MynahClient

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Prints the journal as JSON lines, oldest first.",
        discussion: """
            All refused pushes:

              mynah dump --outcome refused
              mynah dump 'topic:com.example.app status:410' > pushes.jsonl

            Of a run that has ended, with the folder of mynah serve --data:

              mynah dump --file DIR --outcome refused
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: .value("path", "A recorded run in place of a server: the folder of --data, or its run.mynah."))
    var file: String?
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        try await server.withClient(orRun: file, "--file") { client in
            try await client.forEachPush(filters.items(and: query)) { try Terminal.out($0.encodedText) }
        }
    }
}

extension ControlClient {
    /// Reads the pushes that match in pages, oldest first.
    func forEachPush(_ filters: [QueryItem], _ give: (JSONValue) throws -> Void) async throws {
        let pageSize = 1000
        var after: Int64?
        repeat {
            let page = try await notifications(
                filters + [QueryItem](given: ["order": "asc", "limit": pageSize, "after": after.map { Int($0) }]))
            for item in page.items { try give(item) }
            after = page.items.count == pageSize ? page.items.last?["sequence"]?.integer : nil
        } while after != nil
    }
}
