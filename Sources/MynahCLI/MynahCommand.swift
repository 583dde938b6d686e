import ArgumentParser
import MynahClient
import MynahControl
import MynahCore

/// The `mynah` command with its subcommands; turns errors into messages and exit codes.
@main
struct MynahCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mynah",
        abstract: "APNs on localhost: accepts pushes over HTTP/2 and TLS, answers like Apple, shows what arrived.",
        discussion: """
            In one terminal:

              mynah serve

            It prints its address, the CA to trust and the key to sign with. In another:

              mynah send --topic com.example.app --alert hi --to \\
            00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0
              mynah expect --topic com.example.app

            For a test run, on free ports, with everything cleaned up afterwards:

              mynah exec -- npm test

            Exit codes: 0 success, 1 expectation unmet (for send: answered other than 200),
            64 wrong usage, 69 unavailable (port taken, no server), 78 bad configuration.
            """,
        version: MynahVersion.current,
        subcommands: [
            ServeCommand.self, ExecCommand.self, SendCommand.self, TailCommand.self, ExpectCommand.self,
            DumpCommand.self, ExportCommand.self, DeviceCommand.self, FaultCommand.self, ScenarioCommand.self,
            ChannelCommand.self, ClockCommand.self, KeyCommand.self, TokenCommand.self, CertsCommand.self,
            ResetCommand.self,
            HealthcheckCommand.self,
        ], defaultSubcommand: ServeCommand.self)

    static func main() async { Terminal.end(await run(ProcessArguments.all)) }

    /// - Returns: The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try parsed(try withCommandName(arguments))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return CommandStatus.success.rawValue
        } catch {
            return report(error)
        }
    }

    /// Parses a command line; reports an unknown option before anything that is missing, unlike ArgumentParser.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        do { return try parseAsRoot(arguments) } catch {
            guard !exitCode(for: error).isSuccess, let command = command(named: arguments) else { throw error }
            // The help lists every option, including those that a command parses itself.
            let options = helpMessage(for: command).split { !$0.isLetter && !$0.isNumber && $0 != "-" }
                .map(String.init).filter { $0.hasPrefix("--") }
            let given = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
            guard let unknown = given.first(where: { $0.hasPrefix("--") && !options.contains($0) }) else { throw error }
            throw CommandFailure(.usage, "unknown option \(unknown)" + Spelling.hint(unknown, options))
        }
    }

    private static func command(named words: [String]) -> (any ParsableCommand.Type)? {
        var command: (any ParsableCommand.Type)?
        for word in words {
            let named = (command ?? MynahCommand.self).configuration.subcommands.first { subcommand in
                subcommand.configuration.commandName == word || subcommand.configuration.aliases.contains(word)
            }
            guard let named else { break }
            command = named
        }
        return command?.configuration.defaultSubcommand ?? command
    }

    /// First arguments that are neither commands nor flags of `serve`; the last two are for packagers.
    private static let rootFlags = [
        "--help", "-h", "help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// The command line, with `serve` in front if it names no command: `mynah --port 0` serves.
    static func withCommandName(_ arguments: [String]) throws(CommandFailure) -> [String] {
        guard let first = arguments.first else { return ["serve"] }
        if rootFlags.contains(first) { return arguments }
        if first.hasPrefix("-") { return ["serve"] + arguments }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard names.contains(first) else {
            throw CommandFailure(
                .usage,
                "unknown command \(first)\(Spelling.hint(first, names))\ncommands: \(names.joined(separator: ", "))")
        }
        return arguments
    }

    static func report(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        // The reader has what it needs, as in `mynah dump | head`.
        if (error as? ClientError)?.code == .readerGone { return CommandStatus.success.rawValue }
        if let failure = CommandFailure(error) {
            Terminal.error("mynah: \(failure.message)")
            return failure.status.rawValue
        }
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        guard !code.isSuccess else {
            print(message)
            return code.rawValue
        }
        Terminal.error(message)
        return code.rawValue == CommandStatus.usage.rawValue ? code.rawValue : CommandStatus.unavailable.rawValue
    }

    /// The status of a command whose call to a server failed: never ``CommandStatus/unmet``, so that a script can tell
    /// unmet expectations from all other failures.
    static func status(of error: ClientError) -> CommandStatus {
        switch (error.code, error.status ?? 0) {
        case (.unclearServer, _): .usage
        case (.file, _), (.problem, 401), (.problem, 403): .configuration
        case (.problem, 400...499): .usage
        default: .unavailable
        }
    }
}

/// The exit status of a command (`ControlAPI#Command-line`).
enum CommandStatus: Int32, Sendable {
    case success = 0
    /// An expectation was unmet, or `mynah send` was answered other than 200.
    case unmet = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A port is taken, or no server answers (EX_UNAVAILABLE).
    case unavailable = 69
    /// A setting outside the command line is wrong: environment, file, key (EX_CONFIG).
    case configuration = 78
}

/// The error that ends a command: an exit status, and a message with what is wrong and what was expected.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let status: CommandStatus
    let message: String

    init(_ status: CommandStatus, _ message: String) { (self.status, self.message) = (status, message) }
    var description: String { message }
}
