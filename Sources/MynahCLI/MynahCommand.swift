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

            Topics of mynah help: filters, faults, time, magic-tokens, exit-codes,
            environment, files.
            """,
        version: MynahVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, ExecCommand.self, OpenCommand.self, StatusCommand.self, HealthcheckCommand.self,
                ]),
            CommandGroup(
                name: "Push",
                subcommands: [
                    SendCommand.self, TailCommand.self, ExpectCommand.self, DumpCommand.self, RemoveCommand.self,
                    CompareCommand.self, WebPushCommand.self,
                ]),
            CommandGroup(
                name: "Simulation",
                subcommands: [
                    DeviceCommand.self, ChannelCommand.self, FaultCommand.self, ScenarioCommand.self,
                    ClockCommand.self, ConnectionCommand.self, ExportCommand.self, ResetCommand.self,
                ]),
            CommandGroup(name: "Trust", subcommands: [TokenCommand.self, KeyCommand.self, CertsCommand.self]),
            CommandGroup(name: "Other", subcommands: [HelpCommand.self, CompletionsCommand.self, VersionCommand.self]),
        ], defaultSubcommand: ServeCommand.self)

    static func main() async { Terminal.end(await run(ProcessArguments.all)) }

    /// - Returns: The exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            if arguments.first == CompletionsCommand.request {
                try Terminal.out(await Completion.lines(for: Array(arguments.dropFirst())))
                return CommandStatus.success.rawValue
            }
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

    static func report(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        // The reader has what it needs, as in `mynah dump | head`.
        if (error as? ClientError)?.code == .readerGone { return CommandStatus.success.rawValue }
        if let failure = CommandFailure(error) {
            Terminal.error("mynah: \(failure.message)")
            return failure.status.rawValue
        }
        guard exitCode(for: error).isSuccess else {
            Terminal.error("mynah: \(error)")
            return CommandStatus.unavailable.rawValue
        }
        print(fullMessage(for: error))
        return CommandStatus.success.rawValue
    }
}
