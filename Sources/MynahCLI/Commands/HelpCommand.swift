import ArgumentParser
import MynahCore

struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Describes a command, or a topic that concerns many.",
        discussion: """
            Topics: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

              mynah help device add
              mynah help filters
            """)

    @Argument(help: .value("command or topic", "The words of a command, or a topic.")) var words: [String] = []

    func run() throws { try Terminal.out(try HelpCommand.text(words)) }

    static func text(_ words: [String]) throws(CommandFailure) -> String {
        let (path, command) = MynahCommand.named(words)
        if path.count == words.count {
            return words.isEmpty ? MynahCommand.helpMessage() : MynahCommand.helpMessage(for: command)
        }
        if let topic = HelpTopic(rawValue: words.joined(separator: "-").lowercased()) { return topic.text }
        let names = MynahCommand.names(below: command)
        guard path.isEmpty else { throw MynahCommand.unknownCommand(words, among: names) }
        let topics = HelpTopic.allCases.map(\.rawValue)
        throw CommandFailure(
            .usage,
            "unknown command or topic \(words.joined(separator: " "))\(Spelling.hint(words[0], names + topics))\n"
                + "commands: \(names.joined(separator: ", "))\ntopics: \(topics.joined(separator: ", "))")
    }
}
