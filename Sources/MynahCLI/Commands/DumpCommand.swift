import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahStore
import NIOCore
import NIOPosix

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Prints the journal as JSON lines, oldest first.",
        discussion: """
            All refused pushes:

              mynah dump --outcome refused
              mynah dump 'topic:com.example.app status:410' > pushes.jsonl

            Of a run that has ended, with the folder of mynah serve --data:

              mynah dump --file DIR --outcome refused

            The same run as a SQLite file with the table pushes, for questions in SQL:

              mynah dump --file DIR --sqlite pushes.sqlite
              sqlite3 pushes.sqlite "select reason, count(*) from pushes group by 1"
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: .value("path", "A recorded run in place of a server: the folder of --data, or its run.mynah."))
    var file: String?
    @Option(help: .value("new-file", "With --file. Write all pushes to a SQLite file, and print nothing."))
    var sqlite: String?
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        if let sqlite { return try await write(to: sqlite) }
        try await server.withClient(orRun: file, "--file") { client in
            var isEmpty = true
            try await client.forEachPush(filters.items(and: query)) { push in
                isEmpty = false
                try Terminal.out(push.encodedText)
            }
            if isEmpty { try await filters.reportAbsentDevices(client) }
        }
    }

    private func write(to path: String) async throws {
        guard let file, server.url == nil, server.readyFile == nil, filters.items(and: query).isEmpty else {
            throw CommandFailure(
                .usage, "--sqlite writes all pushes of a recorded run: expected --file with it, and no filters")
        }
        let logger = Logger(label: "mynah") { _ in StderrLogHandler(format: .text, logLevel: .warning) }
        do {
            _ = try await NIOSingletons.posixBlockingThreadPool.runIfActive {
                try RecordedRun.writePushes(ofRun: file, to: path, logger: logger)
            }
        } catch let problem as LogProblem where problem.file == path {
            // Of the new file, not of the run.
            let status: CommandStatus =
                switch problem.code {
                case .inUse: .conflict
                case .full: .unavailable
                default: .configuration
                }
            throw CommandFailure(status, problem.description)
        }
    }
}

extension ControlClient {
    /// Reads the pushes that match in pages, oldest first.
    func forEachPush(_ filters: [QueryItem], _ give: (JSONValue) throws -> Void) async throws {
        let pageSize = PageCursor.itemsPerPage
        var after = PageCursor()
        repeat {
            let page = try await documents.notifications(
                filters + [QueryItem](given: ["order": "asc", "limit": pageSize, "after": after.text]))
            let pushes = try documents.items(of: page, called: "notifications")
            for push in pushes { try give(push) }
            let last = pushes.count >= pageSize ? pushes.last?["sequence"]?.integer : nil
            try after.advance(to: last.map { String($0) }, behind: pushes.count)
        } while after.text != nil
    }
}
