/// Finds the server that a client command means (`control-api.md`, *Command line*): by URL, else by ready file,
/// else by the locator file of a running server, else at the default address.
public struct ServerLocator: Sendable {
    /// Where the control API is when nobody says anything.
    public static let defaultURL = "http://127.0.0.1:8197"

    /// A server that was found: where it is, and what its file says about it.
    public struct Server: Hashable, Sendable {
        /// The control API.
        public let url: ControlURL
        /// Bearer token for control calls; `nil` when none was given.
        public let token: String?
        /// Ports and files of the server; `nil` when only its URL is known.
        public let ready: ReadyFile?
    }

    /// `--url`.
    public var url: String?
    /// `--ready-file`.
    public var readyFile: String?
    /// `MYNAH_URL`, `MYNAH_READY_FILE`, `MYNAH_CONTROL_PORT`, `MYNAH_CONTROL_TOKEN`, `MYNAH_CONTROL_TOKEN_FILE`,
    /// `XDG_RUNTIME_DIR`.
    public var environment: [String: String]

    /// A search; flags come before the environment.
    public init(url: String? = nil, readyFile: String? = nil, environment: [String: String]) {
        self.url = url
        self.readyFile = readyFile
        self.environment = environment
    }

    /// Finds the server.
    ///
    /// Whether somebody answers there is not asked.
    ///
    /// - Throws: ``ClientError``: an address that is none, a ready file that is not there, several live servers.
    public func find() throws(ClientError) -> Server {
        let token = try token()
        if let url = url ?? variable("MYNAH_URL") {
            return Server(url: try ControlURL(url), token: token, ready: nil)
        }
        if let path = readyFile ?? variable("MYNAH_READY_FILE") {
            guard let ready = try ReadyFile.read(path) else {
                throw ClientError(.unavailable, "there is no ready file \(path) yet: no server has started with it")
            }
            return Server(url: try ControlURL(ready.controlURL), token: token, ready: ready)
        }
        let servers = try LocatorFolder(environment: environment).servers()
        guard servers.count <= 1 else {
            let list = servers.map { "  --url \($0.controlURL)   (process \($0.pid), APNs on port \($0.port))" }
            throw ClientError(
                .unclearServer,
                "\(servers.count) servers are running; say which one by --url or MYNAH_URL:\n"
                    + list.joined(separator: "\n"))
        }
        if let ready = servers.first {
            return Server(url: try ControlURL(ready.controlURL), token: token, ready: ready)
        }
        return Server(url: try ControlURL(fallback), token: token, ready: nil)
    }

    // A server that shares this environment, as in a container, listens where `MYNAH_CONTROL_PORT` says, and may have
    // no place to leave its locator file at. What is no port is a link's variable.
    private var fallback: String {
        guard let port = variable("MYNAH_CONTROL_PORT").flatMap({ UInt16($0) }), port != 0 else {
            return ServerLocator.defaultURL
        }
        return "http://127.0.0.1:\(port)"
    }

    private func token() throws(ClientError) -> String? {
        if let token = variable("MYNAH_CONTROL_TOKEN") { return token }
        guard let path = variable("MYNAH_CONTROL_TOKEN_FILE") else { return nil }
        guard let text = try FileAccess.readText(path) else {
            throw ClientError(.file, "MYNAH_CONTROL_TOKEN_FILE: there is no file \(path)")
        }
        let token = text.split(whereSeparator: \.isWhitespace).first.map(String.init)
        guard let token else { throw ClientError(.file, "MYNAH_CONTROL_TOKEN_FILE: \(path) is empty") }
        return token
    }

    private func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
