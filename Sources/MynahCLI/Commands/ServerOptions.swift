import ArgumentParser
import MynahClient

/// How a client command is told which server it means.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The control API, like http://127.0.0.1:8197 (MYNAH_URL).", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The server's ready file (MYNAH_READY_FILE).", valueName: "file"))
    var readyFile: String?

    /// The server that is meant; says on standard error when it was chosen among several.
    func server() throws(ClientError) -> ServerLocator.Server {
        let server = try quietly()
        if let note = server.note { Terminal.error("mynah: \(note)") }
        return server
    }

    /// The server that is meant, for a command that looks for it again and again.
    func quietly() throws(ClientError) -> ServerLocator.Server {
        try ServerLocator(url: url, readyFile: readyFile, environment: ProcessEnvironment.variables).find()
    }

    /// The server that is meant, or why it can't be told, for a command that may do without.
    var found: Result<ServerLocator.Server, ClientError> {
        Result { () throws(ClientError) in try server() }
    }

    /// A client of the server that is meant.
    func client() throws(ClientError) -> ControlClient { ControlClient(try server()) }
}
