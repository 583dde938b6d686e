import ArgumentParser
import MynahClient

/// `mynah token`: a provider token for curl.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a signed provider token, good for an hour.",
        discussion: """
            By default with the development key of the running server:

              curl --http2 --cacert certs/ca.pem \\
                -H "authorization: bearer $(mynah token)" ...

            With a key of your own:

              mynah token --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456

            The time in it is the server's, so that the token is good after `mynah clock
            advance`, too; without a server it is the system's.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Key") var signing: SigningOptions

    func run() async throws {
        try Terminal.out(try await signing.token(server.found))
    }
}
