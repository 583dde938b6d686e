import ArgumentParser
import MynahClient
import MynahControl

/// `mynah`: the tree of commands.
///
/// Turns errors into messages and exit codes.
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
            DumpCommand.self, ExportCommand.self, DeviceCommand.self, FaultCommand.self,
            ScenarioCommand.self, ClockCommand.self, KeyCommand.self,
            TokenCommand.self, CertsCommand.self, ResetCommand.self,
            HealthcheckCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        Terminal.end(await run(ProcessArguments.all))
    }

    /// Runs a command line.
    ///
    /// - Returns: The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try parseAsRoot(try withCommandName(arguments))
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

    /// First arguments that are neither commands nor flags of `serve`; the last two are for packages.
    private static let rootFlags = [
        "--help", "-h", "help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// The command line, with `serve` in front if it names no command: `mynah --port 0` serves.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/usage`` for a command that does not exist.
    static func withCommandName(_ arguments: [String]) throws(CommandFailure) -> [String] {
        guard let first = arguments.first else { return ["serve"] }
        if rootFlags.contains(first) { return arguments }
        if first.hasPrefix("-") { return ["serve"] + arguments }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard names.contains(first) else {
            throw CommandFailure(
                .usage,
                "unknown command \(first)" + NearestName.suggestion(for: first, among: names, prefix: "mynah ")
                    + "\ncommands: \(names.joined(separator: ", "))")
        }
        return arguments
    }

    /// Prints an error and returns the exit code.
    static func report(_ error: any Error) -> Int32 {
        switch error {
        case let failure as CommandFailure:
            Terminal.error("mynah: \(failure.message)")
            return failure.status.rawValue
        case let failure as ClientError where failure.code == .readerGone:
            // `mynah dump | head` has what it needs.
            return CommandStatus.success.rawValue
        case let failure as ClientError:
            Terminal.error("mynah: \(failure.message)")
            return status(of: failure).rawValue
        case let code as ExitCode:
            return code.rawValue
        default:
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            guard code.isSuccess else {
                Terminal.error(message)
                return code.rawValue == CommandStatus.usage.rawValue
                    ? code.rawValue : CommandStatus.unavailable.rawValue
            }
            print(message)
            return code.rawValue
        }
    }

    /// The status of a command whose call to a server failed.
    ///
    /// Never ``CommandStatus/unmet``, so that a test can tell unmet expectations from all other failures.
    static func status(of error: ClientError) -> CommandStatus {
        switch error.code {
        case .unclearServer: return .usage
        case .file: return .configuration
        case .problem:
            switch error.status ?? 0 {
            case 401, 403: return .configuration
            case 400...499: return .usage
            default: return .unavailable
            }
        default: return .unavailable
        }
    }
}
