import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahControl
import MynahCore
import MynahSystem
import Synchronization

struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Runs a command with a server on free ports; ends with the command's exit code.",
        usage: "mynah exec [--FLAG VALUE ...] [--dump FILE] [--intercept] -- COMMAND ...",
        discussion: """
            A test run with a server of its own:

              mynah exec -- npm test
              mynah exec --devices strict --dump pushes.jsonl -- pytest -x
              mynah exec --intercept -- python provider.py

            The command finds the server by its environment: MYNAH_URL, MYNAH_APNS_HOST,
            MYNAH_APNS_PORT, MYNAH_CA_FILE, MYNAH_KEY_FILE, MYNAH_KEY_ID, MYNAH_TEAM_ID.
            Signals are forwarded to it, and it gets SIGTERM if this process is killed.
            Other processes reach the server only with --url or --ready-file.

              --dump FILE
                  Write the journal as JSON lines if the command fails. If the file can't
                  be written, the exit code is still the command's.
              --intercept
                  For a provider that only connects to Apple's hosts: serve with a proxy,
                  and set HTTPS_PROXY, NO_PROXY and the variables with which runtimes
                  find CAs (SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, CURL_CA_BUNDLE,
                  REQUESTS_CA_BUNDLE, DENO_CERT). Apple's names then lead to this
                  server, all other names to their own hosts.

            All flags of `mynah serve` may precede the --; by default ports are free ones,
            the log level is warning, and --data DIR keeps the whole run; one that is there
            goes on, with a warning. Exit codes are 127 if the command is not found, 126 if
            it may not be run, and 128 plus the signal's number after a signal.
            """)

    // Read by FlagReader.
    @Argument(parsing: .captureForPassthrough, help: .hidden) var arguments: [String] = []

    /// The defaults of `exec`: free ports, a quiet log, a run that is kept whole.
    static var defaults: ServeSettings {
        var settings = ServeSettings()
        settings.server.ports = [.init(port: 0)]
        settings.control.port = 0
        settings.server.keep = .all
        settings.logLevel = .warning
        return settings
    }

    func run() async throws {
        let flags = try FlagReader.read(arguments, further: ["dump"], toggles: ["intercept"], takesCommand: true)
        guard !flags.asksForHelp else { throw CleanExit.helpRequest(ExecCommand.self) }
        guard let command = flags.rest, !command.isEmpty else {
            throw CommandFailure(.usage, "missing command: expected one after --, as in mynah exec -- npm test")
        }
        var defaults = ExecCommand.defaults
        let intercepts = flags.toggles.contains("intercept")
        if intercepts { defaults.server.proxyPort = 0 }
        let resolved = try SettingsResolver.ofThisProcess.resolve(flags, defaults: defaults)
        let logger = resolved.logger()
        let limit = DescriptorLimit.raise()
        TemporaryFolder.removeAbandoned(logger)
        let interception = intercepts ? try Interception(resolved.settings) : nil
        defer { interception?.withdraw(logger) }
        let settings = interception?.settings ?? resolved.settings
        let commandCode = Mutex<Int32?>(nil)
        let code = try await ExecCommand.preferringFailure(of: commandCode) {
            try await ServerRuntime.withServer(settings, logger: logger) { facts in
                if facts.continuesRun, let folder = settings.server.dataDirectory {
                    logger.warning(
                        """
                        the run in \(folder) goes on where the last one ended, with its devices, pushes and faults: for a \
                        new run, name another folder (--data)
                        """)
                }
                let inherited = ProcessEnvironment.variables
                let announcement = try ServerAnnouncement(
                    facts, settings, of: .exec, environment: inherited, logger: logger)
                defer { announcement.withdraw(logger) }
                var environment = ExecEnvironment.variables(facts, settings, over: inherited)
                if let interception { environment = try interception.variables(facts, over: environment, logger) }
                let code = try await ExecChild.run(command, environment: environment, limit: limit)
                commandCode.withLock { $0 = code }
                if code != 0, let path = flags.others["dump"] {
                    do { try await ExecCommand.dump(to: path, facts, token: settings.control.token) } catch {
                        // The command's exit code matters more.
                        _ = MynahCommand.report(error)
                    }
                }
                return code
            }
        }
        if code != 0, let folder = settings.server.dataDirectory, FileAccess.exists(folder) {
            Terminal.error("mynah: the run was kept: look at it with mynah open \(ShellWord.quoted(folder))")
        }
        throw ExitCode(code)
    }

    /// Runs `body`, and returns its exit code; or that of a command that had failed before `body` threw.
    ///
    /// The error is then reported: a failed command matters more. After one that succeeded, it is thrown.
    private static func preferringFailure(
        of commandCode: borrowing Mutex<Int32?>, _ body: () async throws -> Int32
    ) async throws -> Int32 {
        do { return try await body() } catch {
            guard let code = commandCode.withLock(\.self), code != 0 else { throw error }
            _ = MynahCommand.report(error)
            return code
        }
    }

    private static func dump(to path: String, _ facts: ServerFacts, token: String?) async throws {
        var bytes: [UInt8] = []
        try await ControlClient(url: try ControlURL(facts.ready.controlURL), token: token).forEachPush([]) { push in
            bytes += Array((PrintableText.escaped(push.encodedText) + "\n").utf8)
        }
        try FileAccess.writeAtomically(bytes, to: path, mode: 0o644)
    }
}

enum ExecEnvironment {
    /// The inherited variables and those of the server; a variable without a value is removed, so that none belongs to
    /// another server.
    static func variables(
        _ facts: ServerFacts, _ settings: ServeSettings, over inherited: [String: String]
    ) -> [String: String] {
        let own = [
            "MYNAH_URL": facts.ready.controlURL, "MYNAH_APNS_HOST": facts.clientHost,
            "MYNAH_APNS_PORT": String(facts.ready.port), "MYNAH_CA_FILE": facts.ready.caFile,
            "MYNAH_KEY_FILE": facts.ready.keyFile, "MYNAH_KEY_ID": facts.ready.keyID,
            "MYNAH_TEAM_ID": facts.ready.teamID, "MYNAH_CONTROL_TOKEN": settings.control.token,
            "MYNAH_CONTROL_TOKEN_FILE": nil, "MYNAH_DATA": nil,
        ]
        return inherited.filter { !own.keys.contains($0.key) }.merging(own.compactMapValues(\.self)) { $1 }
    }
}
