import APNsRules
import ArgumentParser
import MynahClient
import UnixSignals

/// `mynah tail`: pushes and deliveries as they come.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows pushes and deliveries as they come: a table on a terminal, JSON lines otherwise.",
        discussion: """
            Everything from now on, or only what one app is refused:

              mynah tail
              mynah tail 'topic:com.example.app outcome:refused'

            From the beginning: mynah tail --after 0

            A push is shown when it has been answered, and again each time something
            becomes of it later: stored while its device is offline, then delivered. As
            JSON both are the push, as it is then. It goes on until SIGINT, or until
            nobody reads it; when the server is gone, it ends with 69.
            """)

    /// How soon it is noticed that nobody reads standard output any more, when there is nothing to write.
    private static let abandonedInterval: Duration = .milliseconds(200)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Argument(help: "A line of the query language.") var query: String?

    @Option(help: "Begin after this sequence number (default: what comes from now on).") var after: Int64?
    @Flag(help: "JSON lines on a terminal, too.") var json = false

    func run() async throws {
        let client = try server.client()
        Terminal.ignoreBrokenPipes()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Both end the process at once: a write that waits for a reader cannot be taken back.
            group.addTask {
                for await _ in signals { Terminal.end(CommandStatus.success.rawValue) }
            }
            group.addTask {
                while !Terminal.isAbandoned { try await Task.sleep(for: TailCommand.abandonedInterval) }
                Terminal.end(CommandStatus.success.rawValue)
            }
            defer { group.cancelAll() }
            try await follow(client)
        }
    }

    private func follow(_ client: ControlClient) async throws {
        let isTable = Terminal.hasOutput && !json
        let table = PushTable(hasColours: Terminal.hasColours(ProcessEnvironment.variables))
        if isTable { try Terminal.out(table.heading) }
        try await client.events(items) { event in
            switch event.name {
            case "gap": Terminal.error("mynah: \(TailCommand.sentence(aboutGap: event.data))")
            case "outcome" where isTable: try Terminal.out(table.laterRow(event.data))
            default:
                try Terminal.out(
                    isTable ? table.row(event.data) : event.data.encodedText, isColoured: isTable && table.hasColours)
            }
        }
    }

    /// What is asked for: the filters, and pushes with what becomes of them.
    var items: [QueryItem] {
        JournalReader.items(query, filters) + ["notification", "outcome"].map { QueryItem("event", $0) }
            + (after.map { [QueryItem("after", String($0))] } ?? [])
    }

    private static func sentence(aboutGap gap: JSONValue) -> String {
        let (from, to) = (gap["from"]?.encodedText ?? "?", gap["to"]?.encodedText ?? "?")
        return "some of \(from) to \(to) went to make room before they could be shown (--retain, --retain-bytes)"
    }
}
