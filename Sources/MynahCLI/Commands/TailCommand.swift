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

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?
    @Option(help: .parameter("after", of: "streamEvents")) var after: Int?
    @Flag(help: "Print JSON lines on a terminal too.") var json = false

    func run() async throws {
        let client = try server.client()
        Terminal.ignoreBrokenPipes()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Both exit the process, because a blocked write can't be cancelled.
            group.addTask { for await _ in signals { Terminal.end(CommandStatus.success.rawValue) } }
            group.addTask {
                while !Terminal.isAbandoned { try await Task.sleep(for: .milliseconds(200)) }
                Terminal.end(CommandStatus.success.rawValue)
            }
            defer { group.cancelAll() }
            try await follow(client)
        }
    }

    private func follow(_ client: ControlClient) async throws {
        let isTable = Terminal.hasOutput && !json
        let table = PushTable(hasColours: Terminal.hasColours(ProcessEnvironment.variables))
        if after == nil { try await filters.reportAbsentDevices(client) }
        if isTable { try Terminal.out(table.heading) }
        let further = [QueryItem](given: ["event": ["notification", "outcome"], "after": after])
        try await client.events(filters.items(and: query) + further) { event in
            switch event.name {
            case "gap":
                let from = event.data["from"]?.encodedText ?? "?"
                let to = event.data["to"]?.encodedText ?? "?"
                Terminal.error(
                    "mynah: some of \(from) to \(to) were removed to make room before they were shown "
                        + "(--retain, --retain-bytes)")
            case "outcome" where isTable: try Terminal.out(table.laterRow(event.data))
            default:
                try Terminal.out(
                    isTable ? table.row(event.data) : event.data.encodedText, isColoured: isTable && table.hasColours)
            }
        }
    }
}
