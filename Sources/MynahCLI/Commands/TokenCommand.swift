import ArgumentParser
import MynahClient

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a signed provider token, valid for an hour.",
        discussion: """
            With the development key of the running server:

              curl --http2 --cacert certs/ca.pem \\
                -H "authorization: bearer $(mynah token)" ...

            With a key of your own:

              mynah token --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456

            It is issued at the server's time, so that it is valid after `mynah clock
            advance` too; without a server, at the system's time.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Key") var signing: SigningOptions

    func run() async throws {
        try Terminal.out(try await signing.token(server.found))
    }
}
