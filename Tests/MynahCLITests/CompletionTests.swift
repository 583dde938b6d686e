import ArgumentParser
import MynahCore
import Testing

@testable import MynahCLI

@Suite("What completes a command line")
struct CompletionTests {
    private func words(_ line: [String]) -> [String] {
        if case .words(let words) = CompletionLine(line).source { words } else { [] }
    }

    @Test("the first word is a command, the next one of its subcommands")
    func commands() {
        let all = MynahCommand.names(below: MynahCommand.self)
        #expect(words([""]) == all)
        #expect(words(["device", "l"]).contains("list"))
        #expect(words(["help", "f"]).contains("filters"))
        #expect(words(["help", "device", ""]).contains("screen"))
    }

    @Test(
        "a word with dashes is an option, also one that a command parses itself",
        arguments: [
            (["send", "--"], "--topic"), (["device", "ls", "--o"], "--offline"), (["device", "--"], "--platform"),
            (["serve", "--"], "--control-port"), (["exec", "--"], "--intercept"), (["--"], "--port"),
            (["fault", "add", "goaway", "--"], "--after"), (["fault", "add", "slow", "--"], "--times"),
            (["fault", "set", "f-1", "slow", "--"], "--delay"), (["expect", "--"], "--screen"),
            (["token", "--"], "--help"),
        ])
    func options(line: [String], option: String) {
        #expect(words(line).contains(option))
    }

    @Test(
        "an option's value has the words of its schema, its setting or its enumeration",
        arguments: [
            (["device", "add", "--platform", ""], "watchOS"), (["device", "set", "kim", "--power", "l"], "low"),
            (["device", "add", "--environment=s"], "sandbox"), (["serve", "--auth", ""], "structural"),
            (["--log-level", ""], "debug"), (["serve", "--log-format", ""], "json"), (["reset", "--only", ""], "keys"),
            (["expect", "--outcome", ""], "expired"), (["expect", "--reason", ""], "BadTopic"),
            (["send", "--push-type", ""], "voip"), (["send", "--tls-version", ""], "1.2"),
            (["device", "install", "kim", "a", "--rotate", ""], "restore"), (["clock", "set", ""], "frozen"),
            (["completions", ""], "fish"), (["fault", "add", "T"], "TooManyRequests"),
            (["fault", "add", ""], "goaway"),
            (["device", "act", "kim", "1", ""], "dismiss"), (["expect", ""], "topic:"),
            (["dump", "status:410", "-"], "--topic"), (["tail", "outcome:"], "delivered"),
            (["scenario", "show", "--shipped", ""], "half-open"),
            (["device", "app", "kim", "a", ""], "permissions.liveActivities="),
        ])
    func values(line: [String], value: String) {
        #expect(words(line).contains(value))
    }

    private static let runningValues: [([String], CompletionLine.RunningValue)] = [
        (["device", "show", ""], .devices), (["device", "rm", "a", ""], .devices),
        (["device", "launch", "kim", ""], .topics), (["device", "activity", "ls", ""], .devices),
        (["send", "--to", ""], .tokens), (["expect", "--scope", ""], .scopes), (["expect", "topic:c"], .topics),
        (["tail", "device:"], .devices), (["fault", "rm", ""], .rules),
        (["fault", "add", "503", "--topic", ""], .topics),
        (["scenario", "remove", ""], .scenarios), (["channel", "show", ""], .channels), (["key", "show", ""], .keys),
        (["device", "set", "--of-user", ""], .users), (["send", "--broadcast", ""], .channels),
    ]

    @Test("names of what a server has come from the running one", arguments: runningValues)
    func running(line: [String], value: CompletionLine.RunningValue) {
        #expect(CompletionLine(line).source == .running(value))
    }

    private static let fileValues: [([String], CompletionLine.Source)] = [
        (["serve", "--fixtures", ""], .files), (["serve", "--state-dir", ""], .folders),
        (["send", "--body", ""], .files), (["expect", "--report=a"], .files), (["exec", "--", ""], .files),
    ]

    @Test("files and folders are left to the shell", arguments: fileValues)
    func files(line: [String], source: CompletionLine.Source) {
        #expect(CompletionLine(line).source == source)
    }

    @Test("what the word already has stays in front of the value")
    func lead() {
        let value = CompletionLine(["device", "add", "--platform=wa"])
        #expect((value.lead, value.typed) == ("--platform=", "wa"))
        let filter = CompletionLine(["expect", "-outcome:ex"])
        #expect((filter.lead, filter.typed) == ("-outcome:", "ex"))
    }

    @Test("the value of an option is not an argument")
    func optionValues() {
        #expect(CompletionLine(["device", "launch", "--environment", "sandbox", ""]).source == .running(.devices))
        #expect(CompletionLine(["fault", "add", "--times", "3", ""]).source != .words([]))
    }

    @Test("a web push is completed: the file to explain, and its urgency")
    func webPush() {
        #expect(CompletionLine(["webpush", "explain", ""]).source == .files)
        #expect(CompletionLine(["send", "--urgency", ""]).source == .words(["very-low", "low", "normal", "high"]))
    }

    @Test("every option with a placeholder of a file completes files")
    func everyFileOption() throws {
        for command in HelpTests.Command.leaves where command.words != ["serve"] && command.words != ["exec"] {
            let help = MynahCommand.helpMessage(for: command.type, columns: 200)
            for line in help.split(separator: "\n") where line.hasPrefix("  --") && line.contains(" <file>") {
                let option = line.split(separator: " ")[0]
                #expect(CompletionLine(command.words + [String(option), ""]).source == .files, "\(command) \(option)")
            }
        }
    }
}
