import APNsRules
import Logging
import Mynah
import MynahClient
import MynahControl
import MynahSystem
import Synchronization
import Testing

@testable import MynahCLI

@Suite("The output of a server at its start")
struct StartUpTests {
    private var facts: ServerFacts {
        var ready = ReadyFile(ports: [2197, 443], controlPort: 8197, controlURL: "http://127.0.0.1:8197", pid: 42)
        ready.caFile = "/home/kim/my app/certs/ca.pem"
        ready.caBundleFile = "/home/kim/my app/certs/ca-bundle.pem"
        ready.keyFile = "/home/kim/my app/certs/AuthKey_ABC123DEFG.p8"
        ready.keyID = "ABC123DEFG"
        ready.teamID = "TEAM123456"
        ready.cleartextPort = 8080
        return ServerFacts(
            clientHost: "localhost", ready: ready, seed: 4711, proxyURL: "http://127.0.0.1:3128",
            developmentKeyName: "AuthKey_ABC123DEFG.p8")
    }

    @Test("the banner has everything to paste")
    func banner() throws {
        try Snapshot.expect(Banner.text(facts), is: "banner")
    }

    @Test("the banner of a server with trust material in memory has its URL")
    func bannerInMemory() throws {
        var facts = facts
        facts.ready.caFile = nil
        facts.ready.keyFile = nil
        facts.ready.cleartextPort = nil
        facts.proxyURL = nil
        facts.ready.ports = [2197]
        try Snapshot.expect(Banner.text(facts), is: "banner-in-memory")
    }

    @Test("the banner of a container names the ports to publish and how to get CA and token from outside, but no files")
    func bannerInContainer() throws {
        func text(process: Int32) -> String {
            var facts = facts
            facts.ready.pid = process
            return Banner.text(facts)
        }
        try Snapshot.expect(text(process: 1), is: "banner-container")
        #expect(!text(process: 1).contains("/home/kim"))
        #expect(text(process: 7) == Banner.text(facts))
    }

    @Test("the banner names the files of the export folder, which every user may read")
    func bannerOfExport() {
        var settings = ServeSettings()
        settings.server.exportDirectory = "/run/mynah"
        let text = Banner.text(facts.shown(settings))
        #expect(text.contains("--cacert /run/mynah/ca.pem "))
        #expect(text.contains("  /run/mynah/AuthKey_ABC123DEFG.p8\n"))
        #expect(!text.contains("/home/kim"))
    }

    @Test(
        "the exported ready file has the folder's paths and a URL that its readers can reach",
        arguments: [
            ("localhost", nil, "http://127.0.0.1:8197"), ("localhost", "mynah", "http://mynah:8197"),
            ("0.0.0.0", "mynah", "http://mynah:8197"), ("10.1.2.3", nil, "http://127.0.0.1:8197"),
            ("::", "fd00::1", "http://[fd00::1]:8197"),
        ] as [(String, String?, String)])
    func exportedReadyFile(bound: String, exportHost: String?, url: String) throws {
        var settings = ServeSettings()
        settings.server.host = bound
        settings.server.exportDirectory = "/trust/"
        settings.exportHost = exportHost
        let exported = try #require(ExportFolder(settings)).exported(facts, settings)
        #expect(exported.controlURL == url)
        #expect(exported.caFile == "/trust/ca.pem")
        #expect(exported.caBundleFile == "/trust/ca-bundle.pem")
        #expect(exported.keyFile == "/trust/AuthKey_ABC123DEFG.p8")
        #expect(exported.keyID == "ABC123DEFG")
        // The user's own keys are not exported.
        var withOwnKey = facts
        withOwnKey.developmentKeyName = nil
        #expect(try #require(ExportFolder(settings)).exported(withOwnKey, settings).keyFile == nil)
    }

    @Test("the ready line begins with its name, and has both URLs and the seed")
    func readyLine() {
        #expect(
            ReadyLine.text(facts, format: .text)
                == "mynah ready: APNs https://localhost:2197 control http://127.0.0.1:8197 seed 4711")
    }

    @Test("the ready line as JSON is one object with the ready file's keys")
    func readyLineJSON() throws {
        let line = ReadyLine.text(facts, format: .json)
        #expect(!line.contains("\n"))
        let document = try JSONValue(parsing: line)
        #expect(document["message"]?.string == "mynah ready")
        #expect(document["apnsUrl"]?.string == "https://localhost:2197")
        #expect(document["controlUrl"]?.string == "http://127.0.0.1:8197")
        #expect(document["seed"]?.integer == 4711)
        #expect(document["pid"]?.integer == 42)
    }

    @Test(
        "quoted text is one word for a shell",
        arguments: [
            ("/a/b-c_d.pem", "/a/b-c_d.pem"), ("/my app", "'/my app'"), ("it's", "'it'\\''s'"), ("", "''"),
            ("$x", "'$x'"),
        ])
    func quoting(text: String, expected: String) {
        #expect(ShellWord.quoted(text) == expected)
    }

    @Test(
        "clients on this machine use a host name, not a wildcard address",
        arguments: [
            ("localhost", "localhost"), ("0.0.0.0", "localhost"), ("::", "localhost"), ("10.1.2.3", "10.1.2.3"),
        ])
    func clientHost(bound: String, expected: String) {
        #expect(ServerFacts.clientHost(bound: bound) == expected)
    }

    @Test(
        "the proxy's URL has an address that it listens on",
        arguments: [
            ("localhost", "http://127.0.0.1:3128"), ("0.0.0.0", "http://127.0.0.1:3128"),
            ("127.0.0.2", "http://127.0.0.2:3128"), ("::1", "http://[::1]:3128"), ("::", "http://[::1]:3128"),
            ("10.1.2.3", "http://10.1.2.3:3128"),
        ])
    func proxyURL(bound: String, expected: String) {
        #expect(ServerFacts.httpURL(bound: bound, port: 3128) == expected)
    }

    @Test("an IPv6 address is in brackets in a URL")
    func ipv6URL() {
        var facts = facts
        facts.clientHost = "fd00::1"
        #expect(facts.apnsURL == "https://[fd00::1]:2197")
    }

    @Test("the command of exec gets the variables of this server only")
    func execEnvironment() {
        var facts = facts
        facts.ready.caFile = nil
        let inherited = [
            "PATH": "/bin", "MYNAH_URL": "http://elsewhere:1", "MYNAH_CA_FILE": "/elsewhere.pem",
            "MYNAH_CONTROL_TOKEN_FILE": "/secret", "MYNAH_DATA": "/run-of-this-server",
        ]
        var settings = ServeSettings()
        settings.control.token = "s3cret"
        #expect(
            ExecEnvironment.variables(facts, settings, over: inherited) == [
                "PATH": "/bin", "MYNAH_URL": "http://127.0.0.1:8197", "MYNAH_APNS_HOST": "localhost",
                "MYNAH_APNS_PORT": "2197", "MYNAH_KEY_FILE": "/home/kim/my app/certs/AuthKey_ABC123DEFG.p8",
                "MYNAH_KEY_ID": "ABC123DEFG", "MYNAH_TEAM_ID": "TEAM123456", "MYNAH_CONTROL_TOKEN": "s3cret",
            ])
    }
}

@Suite("Log lines")
struct StderrLogHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private func lines(
        _ format: ServeSettings.LogFormat, level: Logger.Level = .info, _ body: (inout Logger) -> Void
    ) -> [String] {
        let lines = Lines()
        let handler = StderrLogHandler(
            format: format, logLevel: level, now: { Instant(milliseconds: 1_500) },
            write: { line in lines.all.withLock { $0.append(line) } })
        var logger = Logger(label: "test") { _ in handler }
        body(&logger)
        return lines.all.withLock { $0 }
    }

    @Test("text lines have time, level, message, and metadata sorted by name")
    func text() {
        let lines = lines(.text) { logger in
            logger[metadataKey: "peer"] = "127.0.0.1"
            logger.warning("no TLS", metadata: ["bytes": "GET /"])
        }
        #expect(lines == ["1970-01-01T00:00:01.500Z warning no TLS bytes=GET / peer=127.0.0.1"])
    }

    @Test("a peer's text can't begin a new line or control the terminal")
    func oneLine() {
        let lines = lines(.text) { $0.info("bad\nforged\u{1B}[2J\u{9B}x", metadata: ["k": "a\r\nb"]) }
        #expect(lines == ["1970-01-01T00:00:01.500Z info bad forged [2J x k=a  b"])
    }

    @Test("JSON lines have one object each")
    func json() throws {
        let lines = lines(.json) { $0.error("broken \"pipe\"\n", metadata: ["n": "1"]) }
        #expect(
            lines == [
                #"{"time":"1970-01-01T00:00:01.500Z","level":"error","message":"broken \"pipe\"\n","n":"1"}"#
            ])
    }

    @Test("lines below the level are not written")
    func level() {
        #expect(lines(.text, level: .warning) { $0.info("quiet") } == [])
    }
}
