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
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?

    func run() async throws {
        try await server.client().forEachPush(filters.items(and: query)) { try Terminal.out($0.encodedText) }
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
