import ArgumentParser
import MynahCore
import Testing

@testable import MynahCLI

@Suite("mynah help TOPIC, exit codes")
struct HelpTopicTests {
    @Test("a topic fits 80 columns and leads to the documentation", arguments: HelpTopic.allCases)
    func width(topic: HelpTopic) throws {
        let text = try HelpCommand.text([topic.rawValue])
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 })
        #expect(text.contains("Read on in the documentation"))
        #expect(MynahCommand.helpMessage().contains(topic.rawValue))
    }

    @Test("a topic may be written as words")
    func words() throws {
        #expect(try HelpCommand.text(["exit", "codes"]) == HelpTopic.exitCodes.text)
    }

    @Test("a command is described as by --help, also below another one and by its alias")
    func commands() throws {
        #expect(try HelpCommand.text([]) == MynahCommand.helpMessage())
        let list = MynahCommand.helpMessage(for: DeviceListCommand.self)
        #expect(try HelpCommand.text(["device", "list"]) == list)
        #expect(try HelpCommand.text(["device", "ls"]) == list)
    }

    @Test("the topic of variables has all that aren't settings")
    func variables() {
        let text = HelpTopic.environment.text
        let secrets = SettingTable.all.compactMap(\.fileVariable)
        for name in EnvironmentReader.clientVariables.sorted() + EnvironmentReader.fileVariables + secrets {
            #expect(text.contains("  \(name)\n"), "\(name)")
        }
    }

    @Test("the topic of exit codes has all of them, each once")
    func exitCodes() {
        let text = HelpTopic.exitCodes.text
        for status in CommandStatus.allCases {
            let rows = text.split(separator: "\n").filter { $0.hasPrefix("  \(status.rawValue) ") }
            #expect(rows.count == 1)
        }
        #expect(Set(CommandStatus.allCases.map(\.meaning)).count == CommandStatus.allCases.count)
    }
}
