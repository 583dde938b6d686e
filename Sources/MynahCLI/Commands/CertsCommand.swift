import ArgumentParser
import MynahClient
import MynahTrust

/// `mynah certs`: trust material without a server.
struct CertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certs",
        abstract: "Makes and shows the CA, certificates and the signing key without starting a server.",
        subcommands: [
            CertsInitCommand.self, CertsProviderCommand.self, CertsListCommand.self, CertsRevokeCommand.self,
        ])
}

struct CertsInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes what is missing in the state folder; prints the paths.",
        discussion: """
            Before building an image or setting up a client:

              mynah certs init
              mynah certs init --state-dir /var/lib/mynah --tls-name push.test
            """)

    @Option(help: ArgumentHelp("The state folder; made with mode 0700 (MYNAH_STATE_DIR).", valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp(
            "A further name in the server's certificate, repeatable (MYNAH_TLS_NAME).", valueName: "name"))
    var tlsName: [String] = []

    @Option(
        help: ArgumentHelp("A folder for other containers, as of mynah serve (MYNAH_EXPORT_DIR).", valueName: "dir"))
    var exportDir: String?

    @Option(help: ArgumentHelp("The team of the key (MYNAH_TEAM_ID).", valueName: "team"))
    var teamId: String?

    func run() async throws {
        // By the same table as serve, so that variables and mynah.yaml count too.
        var arguments: [String] = []
        for (flag, value) in [("state-dir", stateDir), ("export-dir", exportDir), ("team-id", teamId)] {
            if let value { arguments.append("--\(flag)=\(value)") }
        }
        arguments += tlsName.map { "--tls-name=\($0)" }
        let resolved = try SettingsResolver.ofThisProcess.resolve(arguments)
        let logger = resolved.logger(label: "mynah")
        for line in try TrustFiles.make(resolved.settings.server, logger: logger) { try Terminal.out(line) }
    }
}
