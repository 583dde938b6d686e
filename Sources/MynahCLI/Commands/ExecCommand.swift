import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahCore

/// `mynah exec`: a server for as long as one command runs.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Serves on free ports, runs a command against it, and ends with the command's exit code.",
        usage: "mynah exec [--FLAG VALUE ...] [--dump FILE] [--intercept] -- COMMAND ...",
        discussion: """
            A test run with a server of its own:

              mynah exec -- npm test
              mynah exec --devices strict --dump pushes.jsonl -- pytest -x
              mynah exec --intercept -- python provider.py

            The command finds the server by its environment: MYNAH_URL, MYNAH_APNS_HOST,
            MYNAH_APNS_PORT, MYNAH_CA_FILE, MYNAH_KEY_FILE, MYNAH_KEY_ID, MYNAH_TEAM_ID.
            Signals are passed on to it, and it gets SIGTERM when this process is killed.
            Commands elsewhere reach this server only by --url or --ready-file.

              --dump FILE
                  Write the journal as JSON lines when the command fails. A file that can't
                  be written is an error on standard error; the exit code stays the
                  command's.
              --intercept
                  For a provider that knows no host but Apple's: serve with a proxy, and
                  set HTTPS_PROXY, NO_PROXY and the variables by which runtimes find CAs
                  (SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, CURL_CA_BUNDLE,
                  REQUESTS_CA_BUNDLE, DENO_CERT). Apple's names then lead here, all
                  others where they always do.

            All flags of `mynah serve` may stand before the --; ports are free ones and
            the log begins at warning unless they say otherwise. A command that is not
            found is exit code 127, one that may not be run 126, one that a signal ended
            128 and the signal's number.
            """)

    // The settings read them: see FlagReader.
    @Argument(parsing: .captureForPassthrough, help: .hidden) var arguments: [String] = []

    /// What holds for `exec` where nobody says anything: free ports, a quiet log.
    static var defaults: ServeSettings {
        var settings = ServeSettings()
        settings.server.ports = [.init(port: 0)]
        settings.control.port = 0
        settings.logLevel = .warning
        return settings
    }

    func run() async throws {
        let flags = try FlagReader.read(
            arguments, further: ["dump"], toggles: ["intercept"], takesCommand: true)
        guard !flags.asksForHelp else { throw CleanExit.helpRequest(ExecCommand.self) }
        guard let command = flags.rest, !command.isEmpty else {
            throw CommandFailure(.usage, "a command to run was expected behind --, as in: mynah exec -- npm test")
        }
        var defaults = ExecCommand.defaults
        if flags.toggles.contains("intercept") { defaults.server.proxyPort = 0 }
        let resolved = try SettingsResolver.ofThisProcess.resolve(flags, defaults: defaults)
        let logger = resolved.logger(label: "mynah")
        let limit = DescriptorLimit.raise()
        TemporaryFolder.removeAbandoned(logger)
        let interception = flags.toggles.contains("intercept") ? try Interception(resolved.settings) : nil
        defer { interception?.withdraw(logger) }
        let settings = interception?.settings ?? resolved.settings
        let code = try await ServerRuntime.withServer(settings, logger: logger) { facts in
            let announcement = try ServerAnnouncement(
                facts, settings, of: .exec, environment: ProcessEnvironment.variables, logger)
            defer { announcement.withdraw(logger) }
            var environment = ExecEnvironment.variables(facts, settings, over: ProcessEnvironment.variables)
            if let interception { environment = try interception.variables(facts, over: environment, logger) }
            let code = try await ChildProcess.run(command, environment: environment, limit: limit)
            if code != 0, let path = flags.others["dump"] {
                do {
                    try await ExecCommand.dump(to: path, facts, token: settings.control.token)
                } catch {
                    // The command's code says more than that there is no dump of it.
                    _ = MynahCommand.report(error)
                }
            }
            return code
        }
        throw ExitCode(code)
    }

    private static func dump(to path: String, _ facts: ServerFacts, token: String?) async throws {
        let client = ControlClient(url: try ControlURL(facts.ready.controlURL), token: token)
        var bytes: [UInt8] = []
        try await JournalReader(client: client, filters: []).readAll { item in
            bytes += Array((PrintableText.escaped(item.encodedText) + "\n").utf8)
        }
        try FileAccess.writeAtomically(bytes, to: path, mode: 0o644)
    }
}

/// What `mynah exec` tells its command.
enum ExecEnvironment {
    /// All variables of the command: ours, and those that lead to the server.
    ///
    /// What is not known of this server is taken out, so that no variable leads to another one.
    static func variables(
        _ facts: ServerFacts, _ settings: ServeSettings, over inherited: [String: String]
    ) -> [String: String] {
        var variables = inherited
        variables["MYNAH_URL"] = facts.ready.controlURL
        variables["MYNAH_APNS_HOST"] = facts.clientHost
        variables["MYNAH_APNS_PORT"] = String(facts.ready.port)
        variables["MYNAH_CA_FILE"] = facts.ready.caFile
        variables["MYNAH_KEY_FILE"] = facts.ready.keyFile
        variables["MYNAH_KEY_ID"] = facts.ready.keyID
        variables["MYNAH_TEAM_ID"] = facts.ready.teamID
        variables["MYNAH_CONTROL_TOKEN"] = settings.control.token
        variables["MYNAH_CONTROL_TOKEN_FILE"] = nil
        return variables
    }
}
