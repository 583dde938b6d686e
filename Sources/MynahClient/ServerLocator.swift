internal import MynahSystem

/// Finds the server for a client command (`ControlAPI#Command-line`): by URL, else by ready file, else by the locator file
/// of a running server, else at the default address.
public struct ServerLocator: Sendable {
    /// The default port of the control API.
    public static let defaultPort = 8197
    /// The default address of the control API.
    public static let defaultURL = "http://127.0.0.1:\(defaultPort)"

    /// A server that was found.
    public struct Server: Hashable, Sendable {
        /// The control API.
        public let url: ControlURL
        /// The bearer token for control calls; `nil` when none was given.
        public let token: String?
        /// The server's ready file; `nil` when only its URL is known.
        public let ready: ReadyFile?
        /// A sentence for the user when the server was chosen among several.
        public let note: String?
    }

    /// `--url`.
    public var url: String?
    /// `--ready-file`.
    public var readyFile: String?
    /// `MYNAH_URL`, `MYNAH_READY_FILE`, `MYNAH_CONTROL_PORT`, `MYNAH_CONTROL_TOKEN`, `MYNAH_CONTROL_TOKEN_FILE`,
    /// `XDG_RUNTIME_DIR`.
    public var environment: [String: String]
    /// The folder in which the command runs; of several servers it selects the one with its state in `certs` there.
    public var folder: String

    /// A search; flags take precedence over the environment.
    public init(url: String? = nil, readyFile: String? = nil, environment: [String: String], folder: String = ".") {
        self.url = url
        self.readyFile = readyFile
        self.environment = environment
        self.folder = folder
    }

    /// Finds the server, without contacting it; throws ``ClientError`` for an invalid address, a missing ready file, or
    /// several running servers of which neither the state folder nor the port selects one.
    public func find() throws(ClientError) -> Server {
        let token = try token()
        func server(_ url: String, _ ready: ReadyFile? = nil, note: String? = nil) throws(ClientError) -> Server {
            Server(url: try ControlURL(url), token: token, ready: ready, note: note)
        }
        if let url = url ?? environment.nonEmpty("MYNAH_URL") { return try server(url) }
        if let path = readyFile ?? environment.nonEmpty("MYNAH_READY_FILE") {
            guard let ready = try ReadyFile.read(path) else {
                throw ClientError(.unavailable, "there is no ready file \(path) yet: no server has started with it")
            }
            return try server(ready.controlURL, ready)
        }
        let servers = try LocatorFolder(environment: environment).servers()
        guard let first = servers.first else { return try server(fallbackURL) }
        guard servers.count > 1 else { return try server(first.controlURL, first) }
        guard let (ready, reason) = choice(among: servers) else {
            let list = servers.map { "\n  --url \($0.controlURL)   (process \($0.pid), APNs on port \($0.port))" }
            throw ClientError(
                .unclearServer,
                "\(servers.count) servers are running: choose one with --url or MYNAH_URL:\(list.joined())")
        }
        let note = "\(servers.count) servers are running; using \(ready.controlURL), \(reason) "
        return try server(ready.controlURL, ready, note: note + "(--url or MYNAH_URL names another)")
    }

    /// The server that is most likely meant, and why; `nil` when neither the state folder nor the port selects one.
    private func choice(among servers: [ReadyFile]) -> (ReadyFile, reason: String)? {
        let stateFolder = FileAccess.absolute(folder + "/certs")
        let near = servers.filter { server in
            guard let caFile = server.caFile, let slash = caFile.lastIndex(of: "/") else { return false }
            return FileAccess.absolute(String(caFile[..<slash])) == stateFolder
        }
        if near.count == 1 { return (near[0], "whose state folder is ./certs") }
        let atPort = (near.isEmpty ? servers : near).filter { $0.controlPort == controlPort }
        if atPort.count == 1 { return (atPort[0], "which has control port \(atPort[0].controlPort)") }
        return nil
    }

    /// The address to use when no server is given and there is no locator file.
    package var fallbackURL: String { "http://127.0.0.1:\(controlPort)" }

    // A server with the same environment, as in a container, listens on MYNAH_CONTROL_PORT and may have no folder for its
    // locator file. A value that isn't a port was set by a container link.
    private var controlPort: Int {
        guard let port = environment.nonEmpty("MYNAH_CONTROL_PORT").flatMap({ UInt16($0) }), port != 0
        else { return ServerLocator.defaultPort }
        return Int(port)
    }

    private func token() throws(ClientError) -> String? {
        if let token = environment.nonEmpty("MYNAH_CONTROL_TOKEN") { return token }
        guard let path = environment.nonEmpty("MYNAH_CONTROL_TOKEN_FILE") else { return nil }
        guard let text = try FileAccess.readText(path) else {
            throw ClientError(.file, "MYNAH_CONTROL_TOKEN_FILE: there is no file \(path)")
        }
        let token = TextFile.trimmed(text)
        guard !token.isEmpty else { throw ClientError(.file, "MYNAH_CONTROL_TOKEN_FILE: \(path) is empty") }
        return token
    }
}

extension [String: String] {
    /// The value of a variable, without white space on either side, such as the CR that Docker leaves of a file of
    /// variables with Windows' line ends; `nil` also if it is empty.
    package func nonEmpty(_ name: String) -> String? {
        self[name].map { TextFile.trimmed($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
