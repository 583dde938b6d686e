import APNsRules
import ArgumentParser
import Testing

@testable import MynahCLI

@Suite("mynah fault, mynah scenario") struct FaultCommandTests {
    static let commands: [any ParsableCommand.Type] = [
        FaultCommand.self, FaultListCommand.self, FaultShowCommand.self, FaultAddCommand.self, FaultSetCommand.self,
        FaultRemoveCommand.self, ScenarioCommand.self, ScenarioListCommand.self, ScenarioShowCommand.self,
        ScenarioAddCommand.self, ScenarioRemoveCommand.self,
    ]

    @Test("the help of every fault and scenario command matches its snapshot", arguments: commands.indices) func help(
        _ index: Int
    ) throws {
        let command = Self.commands[index]
        let group = index < 6 ? "fault" : "scenario"
        let word = command.configuration.commandName ?? ""
        let name = word == group ? word : "\(group)-\(word)"
        try Snapshot.expect(MynahCommand.helpMessage(for: command, columns: 80), is: "help-" + name)
        let lines = command.configuration.discussion.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count < 80 }, "\(lines.filter { $0.count >= 80 })")
        if word != group { #expect(command.configuration.discussion.contains("  mynah \(group) \(word)")) }
    }

    @Test(
        "a preset, its options and the flags of a match make a rule",
        arguments: [
            (
                ["410", "--token", "ab"],
                #"{"match":{"token":"ab"},"action":{"type":"respond","status":410,"reason":"Unregistered"}}"#
            ),
            (
                ["--topic", "a", "goaway", "--topic", "b", "--after", "100"],
                #"{"match":{"topic":["a","b"]},"action":{"type":"goaway","reason":"Shutdown","afterPushes":100}}"#
            ),
            (
                ["tls-expired", "--environment", "sandbox", "--priority", "-5"],
                #"{"match":{"event":"handshake","environment":"sandbox"},"action":{"type":"tls","certificate":"expired"},"priority":-5}"#
            ),
            (
                ["stall", "--apns-priority", "5", "--header", "User-Agent=x", "--payload", "/aps/badge=3"],
                #"{"match":{"priority":5,"payload":{"/aps/badge":[3,"3"]},"headers":{"user-agent":"x"}},"action":{"type":"stall"}}"#
            ),
        ]) func rules(words: [String], json: String) throws
    {
        let command = try FaultAddCommand.parse(words)
        #expect(try command.document().encodedText == json)
    }
}
