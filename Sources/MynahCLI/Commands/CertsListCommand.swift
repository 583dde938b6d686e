import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahTrust

struct CertsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Describes the state folder, or certificates and keys in files.",
        discussion: """
            The CA, the server's certificate, the keys, and the issued provider
            certificates, including revoked ones:

              mynah certs list
              mynah certs list --json

            Any certificate or key, in PEM or PKCS #12:

              mynah certs list com.example.app.pem
              mynah certs list com.example.app.p12 --password mynah

            Exit codes: 0 success, 78 unusable file.
            """,
        aliases: ["ls"])

    @Argument(help: ArgumentHelp("Files to describe, instead of the state folder.", valueName: "file"))
    var files: [String] = []
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var folder: StateFolderOption

    func run() async throws {
        if !files.isEmpty {
            let password = try password.text()
            let described = try files.map { try DescribedFile($0, password: password) }
            try Terminal.out(
                json
                    ? JSONValue.object([JSONMember("files", .array(described.map(\.json)))]).encodedText
                    : described.map(\.text).joined(separator: "\n\n"))
            return
        }
        let settings = try folder.settings().settings.server
        let contents = try StateFolderContents(FileAccess.absolute(settings.stateDirectory ?? "./certs"))
        try Terminal.out(json ? contents.json.encodedText : contents.text(now: Terminal.now))
    }
}
