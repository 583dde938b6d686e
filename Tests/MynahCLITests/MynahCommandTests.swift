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
                + "commands: serve, exec, open, status, healthcheck, send, tail, expect, dump, remove, compare, webpush, device, "
                + "channel, fault, scenario, clock, connection, export, reset, token, key, certs, help, completions, version"
        ) { _ = try MynahCommand.withCommandName(["sevre"]) }
    }

    @Test(
        "failed calls have the documented exit codes",
        arguments: [
            (ClientError(.unavailable, ""), CommandStatus.unavailable), (ClientError(.notMynah, ""), .unavailable),
            (ClientError(.unclearServer, ""), .usage), (ClientError(.file, ""), .configuration),
            (ClientError(.problem, "", status: 400), .usage),
            (ClientError(.problem, "", status: 401), .configuration),
            (ClientError(.problem, "", status: 404), .notFound), (ClientError(.problem, "", status: 409), .conflict),
            (ClientError(.problem, "", status: 500), .unavailable),
        ])
    func exitCodes(error: ClientError, status: CommandStatus) {
        #expect(CommandStatus(of: error) == status)
    }
}
