import ArgumentParser
import Testing

@testable import MynahCLI

@Suite("The help of every command")
struct HelpTests {
    /// A command with the words that call it, all but the root with at least one.
    struct Command: Sendable, CustomTestStringConvertible {
        let words: [String]
        let type: any ParsableCommand.Type

        var testDescription: String { words.joined(separator: " ") }
        var snapshotName: String { "help-" + (words.isEmpty ? "mynah" : words.joined(separator: "-")) }

        static let all = below([], MynahCommand.self)
        /// Those that are not groups of others.
        static let leaves = all.filter { $0.type.configuration.subcommands.isEmpty }

        private static func below(_ words: [String], _ type: any ParsableCommand.Type) -> [Command] {
            [Command(words: words, type: type)]
                + type.configuration.subcommands.flatMap { below(words + [$0.configuration.commandName ?? ""], $0) }
        }
    }

    @Test("matches its snapshot in 80 columns", arguments: Command.all)
    func snapshot(command: Command) throws {
        let help =
            command.words.isEmpty
            ? MynahCommand.helpMessage(columns: 80) : MynahCommand.helpMessage(for: command.type, columns: 80)
        try Snapshot.expect(help, is: command.snapshotName)
        // ArgumentParser would break longer lines again.
        let long = command.type.configuration.discussion.split(separator: "\n").filter { $0.count >= 80 }
        #expect(long.isEmpty)
    }

    @Test("has an example", arguments: Command.leaves)
    func example(command: Command) {
        let call = "mynah " + command.words.joined(separator: " ")
        #expect(command.type.configuration.discussion.contains("  " + call))
    }

    /// What runs until it is ended, with a ready file in place of a result, and what prints a script or help.
    private static let printingNoResult: Set<String> = ["serve", "exec", "open", "completions", "help"]

    @Test("has --json if it prints a result", arguments: Command.leaves)
    func json(command: Command) {
        let name = command.words.joined(separator: " ")
        let hasJSON = MynahCommand.helpMessage(for: command.type).contains("--json")
        #expect(hasJSON != Self.printingNoResult.contains(name))
    }

    @Test("is all that the snapshots have")
    func snapshotsOfNoCommand() throws {
        let names = try Snapshot.names().filter { $0.hasPrefix("help-") }
        #expect(Set(names).subtracting(Command.all.map(\.snapshotName)).isEmpty)
    }
}
