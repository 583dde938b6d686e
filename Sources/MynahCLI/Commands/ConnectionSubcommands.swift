import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ConnectionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connection",
        abstract: "Lists and closes the connections of providers; shows why handshakes failed.",
        subcommands: [ConnectionListCommand.self, ConnectionCloseCommand.self, ConnectionFailuresCommand.self],
        defaultSubcommand: ConnectionListCommand.self)

    static var columns: ListColumns {
        ListColumns([
            ListColumn("ID") { $0.count("id") }, ListColumn("OPENED") { $0.cell("openedAt") },
            ListColumn("PEER") { $0.cell("peer") },
            ListColumn("HOST") { $0.cell("sni") }, ListColumn("ENVIRONMENT") { $0.cell("environment") },
            ListColumn("PUSHES") { $0.count("pushes") },
            ListColumn("CREDENTIAL") { connection in
                let credential = connection["credential"]
                return credential?["keyId"]?.string ?? credential?["serialNumber"]?.string ?? "-"
            },
        ])
    }
}

struct ConnectionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the open connections, with the credential that each has used.",
        discussion: """
              mynah connection list
              mynah connection ls --key-id ABC123DEFG --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .filter(.environment, "; repeatable, like all filters")) var environment: [String] = []
    @Option(help: .parameter("keyId", of: "listConnections")) var keyId: [String] = []
    @Option(help: .parameter("team", of: "listConnections")) var team: [String] = []
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let filters = [QueryItem](given: ["environment": environment, "keyId": keyId, "team": team])
        let connections = try await server.documents().connections(filters)
        try Terminal.out(connections, asJSON: json, in: ConnectionCommand.columns)
    }
}

struct ConnectionCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Closes connections with GOAWAY, or resets them; ends when they have closed.",
        discussion: """
              mynah connection close 4
              mynah connection close 4 5 --abort
            """, aliases: ["kill"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "closeConnection", "; repeatable")) var ids: [Int]
    @Flag(help: .parameter("abort", of: "closeConnection")) var abort = false
    @Flag(help: "Print what was closed as JSON.") var json = false

    func run() async throws {
        let client = try server.client()
        for id in ids { try await client.closeConnection(id, abort: abort) }
        try Terminal.out(["closed": ["connections": .array(ids.map { .number(JSONNumber($0)) })]], asJSON: json)
    }
}

struct ConnectionFailuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures", abstract: "Prints the connections whose TLS handshake failed, newest first, and why.",
        discussion: """
            The latest 100 since the start or the last reset.

              mynah connection failures
              mynah connection failures --json
            """)

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let columns = ListColumns([
            ListColumn("AT") { $0.cell("at") }, ListColumn("PEER") { $0.cell("peer") },
            ListColumn("HOST") { $0.cell("sni") },
            ListColumn("CAUSE") { $0.cell("cause") }, ListColumn("REASON") { $0.cell("reason") },
        ])
        try Terminal.out(try await server.documents().failedHandshakes(), asJSON: json, in: columns)
    }
}
