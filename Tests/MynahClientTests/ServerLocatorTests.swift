import Glibc
import MynahClient
import Testing

@Suite("Finding a server")
struct ServerLocatorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(pid: Int32 = getpid(), controlPort: Int = 5) -> ReadyFile {
        var server = ReadyFile(
            ports: [1, 2], controlPort: controlPort, controlURL: "http://127.0.0.1:\(controlPort)", pid: pid)
        server.caFile = "/certs/ca.pem"
        server.keyFile = "/certs/AuthKey_ABC123DEFG.p8"
        server.keyID = "ABC123DEFG"
        server.teamID = "TEAM123456"
        return server
    }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }
    /// A process besides this one that runs as long as the test: the parent may end before it, or be of another namespace.
    private let other: Int32 = 1

    /// The ID of a process that has ended.
    private func deadProcess() throws -> Int32 {
        var pid: Int32 = 0
        let program = strdup("/bin/true")
        defer { free(program) }
        let arguments: [UnsafeMutablePointer<CChar>?] = [program, nil]
        try #require(posix_spawn(&pid, "/bin/true", nil, nil, arguments, nil) == 0)
        try #require(waitpid(pid, nil, 0) == pid)
        return pid
    }

    @Test("a ready file has every documented key, and is read as it was written")
    func readyFile() throws {
        let path = folder.path + "/ready.json"
        try server(pid: 77).write(to: path)
        #expect(try ReadyFile.read(path) == server(pid: 77))
        let text = try #require(try FileAccess.readText(path))
        #expect(
            text == """
                {"port":1,"ports":[1,2],"controlPort":5,"controlUrl":"http://127.0.0.1:5","cleartextPort":null,\
                "channelsPort":null,"channelsPorts":[],"webPushPort":null,"proxyPort":null,"caFile":"/certs/ca.pem",\
                "caBundleFile":null,\
                "keyFile":"/certs/AuthKey_ABC123DEFG.p8","keyId":"ABC123DEFG","teamId":"TEAM123456","pid":77}

                """)
        #expect(try folder.mode("ready.json") == 0o644)
        #expect(try FileAccess.names(in: folder.path) == ["ready.json"])
    }

    @Test("a file that isn't a ready file is an error, and a missing one is nil")
    func foreignReadyFile() throws {
        try folder.write("{}", to: "ready.json")
        let error = #expect(throws: ClientError.self) { try ReadyFile.read(folder.path + "/ready.json") }
        #expect(
            error?.message == folder.path
                + "/ready.json is not a ready file: expected port, controlPort, controlUrl and pid")
        #expect(try ReadyFile.read(folder.path + "/none.json") == nil)
    }

    @Test("a running server's locator file is readable only by its user, and is removed at the end")
    func lifeCycle() throws {
        let locator = LocatorFolder(environment: environment)
        #expect(try locator.servers() == [])
        try locator.add(server())
        #expect(try folder.mode("mynah") == 0o700)
        #expect(try folder.mode("mynah/\(getpid()).json") == 0o600)
        #expect(try locator.servers() == [server()])
        #expect(try ServerLocator(environment: environment).find().url.port == 5)
        #expect(try ServerLocator(environment: environment).find().ready == server())
        try locator.remove(pid: getpid())
        try locator.remove(pid: getpid())
        #expect(try FileAccess.names(in: locator.path) == [])
    }

    @Test("the file of a server that has ended is ignored and removed")
    func stale() throws {
        let locator = LocatorFolder(environment: environment)
        let dead = try deadProcess()
        try locator.add(server(pid: dead))
        #expect(try FileAccess.names(in: locator.path) == ["\(dead).json"])
        #expect(try locator.servers() == [])
        #expect(try FileAccess.names(in: locator.path) == [])
    }

    @Test("a file that isn't a locator file is skipped")
    func foreignFile() throws {
        let locator = LocatorFolder(environment: environment)
        try locator.add(server())
        try folder.write("not JSON", to: "mynah/\(other).json")
        try folder.write("{}", to: "mynah/notes.txt")
        #expect(try locator.servers() == [server()])
    }

    @Test("several running servers are an error that lists them")
    func several() throws {
        let locator = LocatorFolder(environment: environment)
        try locator.add(server(controlPort: 5))
        try locator.add(server(pid: other, controlPort: 6))
        let error = #expect(throws: ClientError.self) { try ServerLocator(environment: environment).find() }
        #expect(error?.code == .unclearServer)
        let message = try #require(error?.message)
        #expect(message.hasPrefix("2 servers are running: choose one with --url or MYNAH_URL:"))
        #expect(message.contains("--url http://127.0.0.1:5   (process \(getpid()), APNs on port 1)"))
        #expect(message.contains("--url http://127.0.0.1:6   (process \(other), APNs on port 1)"))
    }

    @Test(
        "of several running servers, the one with ./certs is chosen, then the one on the default port",
        arguments: [
            (["/other/certs/ca.pem", "certs/ca.pem"], [8197, 6], 1),
            (["/other/certs/ca.pem", nil], [5, 8197], 1),
            (["certs/ca.pem", "certs/ca.pem"], [8197, 6], 0),
            (["certs/ca.pem", "certs/ca.pem"], [5, 6], nil),
            (["/other/certs/ca.pem", nil], [5, 6], nil),
        ] as [([String?], [Int], Int?)])
    func choice(caFiles: [String?], ports: [Int], meant: Int?) throws {
        let locator = LocatorFolder(environment: environment)
        var servers: [ReadyFile] = []
        for (index, pid) in [getpid(), other].enumerated() {
            var one = server(pid: pid, controlPort: ports[index])
            one.caFile = caFiles[index].map { $0.hasPrefix("/") ? $0 : folder.path + "/" + $0 }
            servers.append(one)
            try locator.add(one)
        }
        let search = ServerLocator(environment: environment, folder: folder.path)
        guard let meant else {
            #expect(throws: ClientError.self) { try search.find() }
            return
        }
        let found = try search.find()
        #expect(found.ready == servers[meant])
        #expect(found.note?.hasPrefix("2 servers are running; using http://127.0.0.1:\(ports[meant]), wh") == true)
    }

    @Test("a server of exec is in the folder, but isn't chosen")
    func serverOfExec() throws {
        let locator = LocatorFolder(environment: environment)
        try locator.add(server(pid: other, controlPort: 6), of: .exec)
        #expect(try ServerLocator(environment: environment).find().url.port == 8197)
        try locator.add(server(controlPort: 5))
        let found = try ServerLocator(environment: environment).find()
        #expect(found.ready == server(controlPort: 5))
        #expect(found.note == nil)
        #expect(try locator.servers(of: LocatorFolder.Owner.allCases).count == 2)
        try locator.remove(pid: other)
        #expect(try locator.servers(of: [.exec]) == [])
    }

    @Test("a folder that other users can access is refused")
    func openFolder() throws {
        let locator = LocatorFolder(environment: environment)
        try locator.add(server())
        folder.allowAll("mynah")
        #expect(try locator.servers() == [])
        let error = #expect(throws: ClientError.self) { try locator.add(server()) }
        #expect(error?.message == "\(locator.path) is not private: expected a folder of this user with mode 0700")
    }

    @Test("without XDG_RUNTIME_DIR the folder is in /tmp, with the user's ID")
    func defaultFolder() {
        #expect(LocatorFolder(environment: [:]).path == "/tmp/mynah-\(geteuid())/mynah")
        #expect(LocatorFolder(environment: ["XDG_RUNTIME_DIR": ""]).path == "/tmp/mynah-\(geteuid())/mynah")
    }

    @Test("flag, variable, ready file, locator file and default have this order")
    func order() throws {
        try LocatorFolder(environment: environment).add(server(controlPort: 5))
        try server(controlPort: 4).write(to: folder.path + "/four.json")
        try server(controlPort: 3).write(to: folder.path + "/three.json")
        var environment = environment
        func port(_ url: String? = nil, _ readyFile: String? = nil) throws -> Int {
            try ServerLocator(url: url, readyFile: readyFile, environment: environment).find().url.port
        }
        #expect(try port() == 5)
        environment["MYNAH_READY_FILE"] = folder.path + "/four.json"
        #expect(try port() == 4)
        #expect(try port(nil, folder.path + "/three.json") == 3)
        environment["MYNAH_URL"] = "http://127.0.0.1:2"
        #expect(try port(nil, folder.path + "/three.json") == 2)
        #expect(try port("http://127.0.0.1:1") == 1)
        #expect(try ServerLocator(environment: ["XDG_RUNTIME_DIR": folder.path + "/none"]).find().url.port == 8197)
    }

    @Test(
        "without any file the port is that of the environment, if it is valid",
        arguments: [
            ("9000", 9000), ("", 8197), ("0", 8197), ("70000", 8197), ("tcp://10.0.0.7:8197", 8197),
        ])
    func portOfTheEnvironment(text: String, port: Int) throws {
        let environment = ["XDG_RUNTIME_DIR": folder.path + "/none", "MYNAH_CONTROL_PORT": text]
        #expect(try ServerLocator(environment: environment).find().url == ControlURL("http://127.0.0.1:\(port)"))
    }

    @Test("a missing ready file means that no server is running")
    func missingReadyFile() {
        let path = folder.path + "/later.json"
        let error = #expect(throws: ClientError.self) { try ServerLocator(readyFile: path, environment: [:]).find() }
        #expect(error?.code == .unavailable)
        #expect(error?.message == "there is no ready file \(path) yet: no server has started with it")
    }

    @Test("the token comes from the environment, or from the file it names")
    func token() throws {
        try folder.write("from-file\n", to: "token")
        try folder.write("\n", to: "empty")
        func token(_ variables: [String: String]) throws -> String? {
            try ServerLocator(url: "http://h:1", environment: variables).find().token
        }
        #expect(try token([:]) == nil)
        #expect(try token(["MYNAH_CONTROL_TOKEN": "direct"]) == "direct")
        #expect(try token(["MYNAH_CONTROL_TOKEN_FILE": folder.path + "/token"]) == "from-file")
        #expect(throws: ClientError.self) { try token(["MYNAH_CONTROL_TOKEN_FILE": folder.path + "/empty"]) }
        #expect(throws: ClientError.self) { try token(["MYNAH_CONTROL_TOKEN_FILE": folder.path + "/none"]) }
    }
}
