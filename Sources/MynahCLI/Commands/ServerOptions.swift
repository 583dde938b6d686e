import ArgumentParser
import MynahClient

/// How a client command is told which server it means.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The control API, like http://127.0.0.1:8197 (MYNAH_URL).", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The server's ready file (MYNAH_READY_FILE).", valueName: "file"))
    var readyFile: String?

    /// The server that is meant.
    func server() throws(ClientError) -> ServerLocator.Server {
        try ServerLocator(url: url, readyFile: readyFile, environment: ProcessEnvironment.variables).find()
    }

    /// A client of the server that is meant.
    func client() throws(ClientError) -> ControlClient { ControlClient(try server()) }
}
