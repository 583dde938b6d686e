import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahTrust

/// `mynah certs list`: what is in the state folder, or what files are.
struct CertsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows what is in the state folder, or what certificates and keys in files are.",
        discussion: """
            The CA, the server's certificate, the keys, and the provider certificates that
            were issued, revoked ones too:

              mynah certs list
              mynah certs list --json

            Any certificate or key, in PEM or PKCS #12:

              mynah certs list com.example.app.pem
              mynah certs list com.example.app.p12 --password mynah

            Exit codes: 0 fine, 78 a file that can't be used, with what is wrong with it.
            """,
        aliases: ["ls"])

    @Argument(help: ArgumentHelp("Files to look at, instead of the state folder.", valueName: "file"))
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
