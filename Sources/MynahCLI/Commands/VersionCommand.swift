import APNsRules
import ArgumentParser
import MynahControl

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Prints the program's version.",
        discussion: """
              mynah version
              mynah version --json
            """)

    @Flag(help: "Print it as JSON.") var json = false

    func run() throws {
        let version = JSONValue.object([JSONMember("version", .string(MynahVersion.current))])
        try Terminal.out(version, asJSON: json) { $0.text("version") }
    }
}
