import ArgumentParser
import MynahClient
import Testing

@testable import MynahCLI

@Suite("The command tree")
struct MynahCommandTests {
    @Test(
        "serve is the default command",
        arguments: [
            ([], ["serve"]), (["--port", "0"], ["serve", "--port", "0"]),
            (["serve", "--port", "0"], ["serve", "--port", "0"]),
            (["--help"], ["--help"]), (["--version"], ["--version"]), (["help", "send"], ["help", "send"]),
            (["--experimental-dump-help"], ["--experimental-dump-help"]),
            (["tail"], ["tail"]),
        ] as [([String], [String])])
    func defaultCommand(arguments: [String], expected: [String]) throws {
        #expect(try MynahCommand.withCommandName(arguments) == expected)
    }

    @Test("an unknown command gets a hint at the nearest one")
    func unknownCommand() {
        expectFailure(
            .usage,
            "unknown command sevre: did you mean \"serve\"?\n"
                + "commands: serve, exec, send, tail, expect, dump, export, device, fault, scenario, clock, key, "
                + "token, certs, reset, healthcheck"
        ) { _ = try MynahCommand.withCommandName(["sevre"]) }
    }

    static let commands: [any ParsableCommand.Type] = [
        MynahCommand.self, ServeCommand.self, ExecCommand.self, SendCommand.self, TailCommand.self, ExpectCommand.self,
        DumpCommand.self, TokenCommand.self, CertsCommand.self, CertsInitCommand.self, ResetCommand.self,
        HealthcheckCommand.self,
    ]

    @Test("the help of every command matches its snapshot", arguments: commands.indices)
    func help(_ index: Int) throws {
        let command = Self.commands[index]
        let help =
            command == MynahCommand.self
            ? MynahCommand.helpMessage(columns: 80) : MynahCommand.helpMessage(for: command, columns: 80)
        try Snapshot.expect(help, is: "help-" + (command.configuration.commandName ?? "root"))
        // ArgumentParser would break longer lines again.
        let discussion = command.configuration.discussion.split(separator: "\n")
        #expect(discussion.allSatisfy { $0.count < 80 }, "\(command.configuration.commandName ?? "")")
    }

    @Test("the help of every command has an example", arguments: commands.indices)
    func examples(_ index: Int) {
        let command = Self.commands[index]
        guard command.configuration.subcommands.isEmpty else { return }
        #expect(
            command.configuration.discussion.contains(
                "  mynah \(command.configuration.commandName == "init" ? "certs " : "")\(command.configuration.commandName ?? "")"
            )
                || command == TokenCommand.self)
    }

    @Test(
        "failed calls have the documented exit codes",
        arguments: [
            (ClientError(.unavailable, ""), CommandStatus.unavailable), (ClientError(.notMynah, ""), .unavailable),
            (ClientError(.unclearServer, ""), .usage), (ClientError(.file, ""), .configuration),
            (ClientError(.problem, "", status: 400), .usage),
            (ClientError(.problem, "", status: 401), .configuration),
            (ClientError(.problem, "", status: 500), .unavailable),
        ])
    func exitCodes(error: ClientError, status: CommandStatus) {
        #expect(MynahCommand.status(of: error) == status)
    }
}
