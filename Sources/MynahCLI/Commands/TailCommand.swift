import APNsRules
import ArgumentParser
import MynahClient
import UnixSignals

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows pushes and deliveries as they happen: a table on a terminal, otherwise JSON lines.",
        discussion: """
            Everything from now on, or only refusals of one app:

              mynah tail
              mynah tail 'topic:com.example.app outcome:refused'

            From the beginning: mynah tail --after 0

            A push is shown when it is answered, and again at each later change: stored
            while its device is offline, then delivered. In JSON each is the push in its
            present state. The command ends with SIGINT, when its output is closed, or
            with 69 when the server is gone.
            """)

    /// How often to check whether standard output is closed while there is nothing to write.
    private static let abandonedInterval: Duration = .milliseconds(200)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?
    @Option(help: "Begin after this sequence number (default: from now on).") var after: Int?
    @Flag(help: "Print JSON lines on a terminal too.") var json = false

    func run() async throws {
        let client = try server.client()
        Terminal.ignoreBrokenPipes()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Both exit the process, because a blocked write can't be cancelled.
            group.addTask { for await _ in signals { Terminal.end(CommandStatus.success.rawValue) } }
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

    private var items: [QueryItem] {
        filters.items(and: query) + [QueryItem](given: ["event": ["notification", "outcome"], "after": after])
    }

    private static func sentence(aboutGap gap: JSONValue) -> String {
        let (from, to) = (gap["from"]?.encodedText ?? "?", gap["to"]?.encodedText ?? "?")
        return "some of \(from) to \(to) were removed to make room before they were shown (--retain, --retain-bytes)"
    }
}
