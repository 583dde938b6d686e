import ArgumentParser
import MynahClient

/// Names the server of a client command.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The control API, like http://127.0.0.1:8197 (MYNAH_URL).", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The server's ready file (MYNAH_READY_FILE).", valueName: "file"))
    var readyFile: String?

    /// Finds the server; reports a choice among several on standard error.
    func server() throws(ClientError) -> ServerLocator.Server {
        let server = try quietly()
        if let note = server.note { Terminal.error("mynah: \(note)") }
        return server
    }

    /// Finds the server without a report, for a command that looks repeatedly.
    func quietly() throws(ClientError) -> ServerLocator.Server {
        try ServerLocator(url: url, readyFile: readyFile, environment: ProcessEnvironment.variables).find()
    }

    /// The server or the error, for a command that may not need it.
    var found: Result<ServerLocator.Server, ClientError> {
        Result { () throws(ClientError) in try server() }
    }

    func client() throws(ClientError) -> ControlClient { ControlClient(try server()) }
}
