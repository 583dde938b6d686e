import Logging
import Mynah
import MynahClient
import Testing

@testable import MynahCLI

@Suite("The environment of mynah exec --intercept")
struct InterceptionTests {
    private let logger = Logger(label: "mynah.test") { _ in SwiftLogNoOpLogHandler() }

    private var facts: ServerFacts {
        let ready = ReadyFile(ports: [2197], controlPort: 8197, controlURL: "http://127.0.0.1:8197", pid: 42)
        return ServerFacts(clientHost: "localhost", ready: ready, seed: 1, proxyURL: "http://127.0.0.1:3128")
    }

    private var settings: ServeSettings {
        var settings = ServeSettings()
        settings.server.proxyPort = 0
        return settings
    }

    private func bundle(_ interception: Interception, _ text: String) throws -> String {
        let folder = try #require(interception.settings.server.exportDirectory)
        try FileAccess.writeAtomically(Array(text.utf8), to: folder + "/ca-bundle.pem", mode: 0o644)
        return folder
    }

    @Test("every variable of a runtime is set, and the temporary folder is removed at the end")
    func variables() throws {
        let interception = try Interception(settings)
        let folder = try bundle(interception, "roots\n")
        var facts = facts
        facts.ready.keyID = "ABC123DEFG"
        let variables = try interception.variables(facts, over: ["PATH": "/bin"], logger)
        #expect(
            variables == [
                "PATH": "/bin", "HTTPS_PROXY": "http://127.0.0.1:3128", "https_proxy": "http://127.0.0.1:3128",
                "SSL_CERT_FILE": folder + "/ca-bundle.pem", "CURL_CA_BUNDLE": folder + "/ca-bundle.pem",
                "REQUESTS_CA_BUNDLE": folder + "/ca-bundle.pem", "NODE_EXTRA_CA_CERTS": folder + "/ca.pem",
                "DENO_CERT": folder + "/ca.pem", "NO_PROXY": "localhost,127.0.0.1,::1",
                "no_proxy": "localhost,127.0.0.1,::1", "MYNAH_CA_FILE": folder + "/ca.pem",
                "MYNAH_KEY_FILE": folder + "/AuthKey_ABC123DEFG.p8",
            ])
        interception.withdraw(logger)
        #expect(!FileAccess.exists(folder))
    }

    @Test("files in the state folder are used if they exist")
    func stateFolder() throws {
        let interception = try Interception(settings)
        defer { interception.withdraw(logger) }
        _ = try bundle(interception, "roots\n")
        var facts = facts
        facts.ready.caFile = "/certs/ca.pem"
        facts.ready.keyFile = "/certs/key.p8"
        let variables = try interception.variables(facts, over: ["MYNAH_KEY_FILE": "/certs/key.p8"], logger)
        #expect(variables["MYNAH_CA_FILE"] == "/certs/ca.pem")
        #expect(variables["MYNAH_KEY_FILE"] == "/certs/key.p8")
    }

    @Test("CAs that the variables named before stay trusted, each once")
    func chosenBefore() throws {
        let interception = try Interception(settings)
        defer { interception.withdraw(logger) }
        let folder = try bundle(interception, "roots and ours\n")
        try FileAccess.writeAtomically(Array("of the company".utf8), to: folder + "/company.pem", mode: 0o644)
        let inherited = [
            "SSL_CERT_FILE": folder + "/company.pem", "NODE_EXTRA_CA_CERTS": folder + "/company.pem",
            "REQUESTS_CA_BUNDLE": folder + "/not-there.pem", "CURL_CA_BUNDLE": "",
        ]
        let variables = try interception.variables(facts, over: inherited, logger)
        for name in Interception.storeVariables + Interception.additionVariables {
            let path = try #require(variables[name])
            #expect(try FileAccess.readText(path) == "roots and ours\nof the company\n")
        }
    }

    @Test("the user's own export folder is used and kept")
    func exportFolder() throws {
        let folder = try TemporaryFolder()
        var settings = settings
        settings.server.exportDirectory = folder.path
        let interception = try Interception(settings)
        let variables = try interception.variables(facts, over: [:], logger)
        #expect(variables["SSL_CERT_FILE"] == folder.path + "/ca-bundle.pem")
        interception.withdraw(logger)
        #expect(FileAccess.isFolder(folder.path))
        try folder.remove()
    }

    @Test("--intercept without a proxy is refused")
    func proxyOff() {
        #expect(throws: CommandFailure.self) { try Interception(ServeSettings()) }
    }

    @Test(
        "NO_PROXY keeps its entries except those that cover Apple's names",
        arguments: [
            ("", ""), ("example.com", ",example.com"), (" a.test , b.test ", ",a.test,b.test"),
            ("10.0.0.0/8,.internal", ",10.0.0.0/8,.internal"), ("*", ""), ("apple.com", ""), (".apple.com", ""),
            ("*.apple.com", ""), ("*apple.com", ""), ("Push.Apple.com:443", ""), ("api.push.apple.com.", ""),
            (".com", ""), ("com,org", ",org"), ("localhost,127.0.0.1", ""), ("notapple.com", ",notapple.com"),
            ("store.apple.com", ",store.apple.com"), ("[::1]:8080", ",[::1]:8080"),
        ])
    func directHosts(inherited: String, rest: String) {
        #expect(
            Interception.directHosts(inherited: [inherited], further: ["0.0.0.0", "localhost"])
                == "localhost,127.0.0.1,::1" + rest)
    }

    @Test("the host that the control API listens on is called directly")
    func controlHost() {
        #expect(
            Interception.directHosts(inherited: ["a", "a"], further: ["10.1.2.3", "::"])
                == "localhost,127.0.0.1,::1,10.1.2.3,a")
    }
}

@Suite("A command after flags")
struct CommandBehindFlagsTests {
    private func read(_ arguments: String...) throws(CommandFailure) -> GivenFlags {
        try FlagReader.read(arguments, further: ["dump"], toggles: ["intercept"], takesCommand: true)
    }

    @Test("the command begins after --, or with the first argument that isn't a flag")
    func begins() throws {
        #expect(try read("--intercept", "--", "npm", "test").rest == ["npm", "test"])
        #expect(try read("--intercept", "npm", "--test").rest == ["npm", "--test"])
        #expect(try read("--port", "0", "npm", "--", "x").rest == ["npm", "--", "x"])
        #expect(try read("--intercept").rest == nil)
        #expect(try read("--", "--intercept").toggles == [])
        #expect(try read("--intercept", "--", "x").toggles == ["intercept"])
    }

    @Test("a value for a flag without a value is refused")
    func noValue() {
        #expect(throws: CommandFailure.self) { try read("--intercept=on", "--", "x") }
        #expect(throws: CommandFailure.self) { try FlagReader.read(["--intercept"]) }
        #expect(throws: CommandFailure.self) { try FlagReader.read(["npm"]) }
    }
}
