import ArgumentParser
import MynahCore

extension MynahCommand {
    /// Parses a command line; reports an unknown command or option before anything that is missing, and words all errors
    /// alike.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let (path, command) = named(arguments)
        let pointer = "; see mynah \(path.joined(separator: " ")) --help"
        let parsed: any ParsableCommand
        do { parsed = try parseAsRoot(arguments) } catch {
            guard !exitCode(for: error).isSuccess else { throw error }
            let subcommands = MynahCommand.names(below: command)
            if let word = arguments.dropFirst(path.count).first, !word.hasPrefix("-"), !subcommands.isEmpty {
                throw unknownCommand(path + [word], among: subcommands)
            }
            let runs = command.configuration.defaultSubcommand ?? command
            // The help lists every option, including those that a command parses itself.
            let options = helpMessage(for: runs).split { !$0.isLetter && !$0.isNumber && $0 != "-" }
                .map(String.init).filter { $0.hasPrefix("--") }
            let given = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
            if let unknown = given.first(where: { $0.hasPrefix("--") && !options.contains($0) }) {
                let meant = otherNames[unknown].flatMap { options.contains($0) ? $0 : nil }
                let hint = meant.map { ": did you mean \"\($0)\"?" } ?? Spelling.hint(unknown, options)
                throw CommandFailure(.usage, "unknown option \(unknown)\(hint.isEmpty ? pointer : hint)")
            }
            let message = message(for: error)
            let text = ParserMessage.hyphenated(message, arguments) ?? ParserMessage.text(message)
            throw CommandFailure(.usage, text == message ? text : text + pointer)
        }
        // ArgumentParser finds the h of -h in -1h too, and returns a command of its own.
        let isHelp = String(reflecting: type(of: parsed)).hasPrefix("ArgumentParser.")
        let word = arguments.prefix { $0 != "--" }.first(where: isHelpByAccident)
        if isHelp, let word { throw CommandFailure(.usage, "unknown option \(word)" + pointer) }
        return parsed
    }

    /// What other commands, and other tools, call an option.
    private static let otherNames = [
        "--token": "--to", "--device": "--to", "--device-token": "--to", "--app": "--topic", "--bundle-id": "--topic",
        "--message": "--alert", "--payload": "--body", "--data": "--body", "--cert": "--certificate",
        "--cacert": "--ca-file", "--min": "--count", "--timeout": "--within", "--wait": "--within",
    ]

    private static func isHelpByAccident(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("h") && !["-h", "-help"].contains(word)
    }

    /// The command that words begin with, and its path without aliases.
    static func named(_ words: [String]) -> (path: [String], command: any ParsableCommand.Type) {
        var path: [String] = []
        var command: any ParsableCommand.Type = MynahCommand.self
        for word in words {
            let next = command.configuration.subcommands.first { subcommand in
                subcommand.configuration.commandName == word || subcommand.configuration.aliases.contains(word)
            }
            guard let next else { break }
            path.append(next.configuration.commandName ?? word)
            command = next
        }
        return (path, command)
    }

    /// The names of a command's subcommands.
    static func names(below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    static func unknownCommand(_ words: [String], among names: [String]) -> CommandFailure {
        let hint = words.last.map { Spelling.hint($0, names) } ?? ""
        return CommandFailure(
            .usage, "unknown command \(words.joined(separator: " "))\(hint)\ncommands: \(names.joined(separator: ", "))"
        )
    }

    /// First arguments that are neither commands nor flags of `serve`; the last one is for packagers.
    private static let rootFlags = ["--help", "-h", "--version", "--experimental-dump-help"]

    /// The command line, with `serve` in front if it names no command: `mynah --port 0` serves.
    static func withCommandName(_ arguments: [String]) throws(CommandFailure) -> [String] {
        guard let first = arguments.first else { return ["serve"] }
        if first == "--version", arguments.count > 1 {
            throw CommandFailure(.usage, "unexpected argument \"\(arguments[1])\": expected \(first) alone")
        }
        if rootFlags.contains(first) { return arguments }
        if first.hasPrefix("-") { return ["serve"] + arguments }
        let names = names(below: MynahCommand.self)
        guard names.contains(first) else { throw unknownCommand([first], among: names) }
        return arguments
    }
}
