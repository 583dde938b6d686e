import APNsRules
import ArgumentParser
import MynahClient
import MynahCore
import MynahTrust

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Prints a signed provider token, valid for an hour.",
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

    @Flag(help: "Print the token, its key and its times as JSON.") var json = false

    func run() async throws {
        let signed = try await signing.signed(server.found)
        try Terminal.out(signed.json, asJSON: json) { _ in signed.token }
    }
}

/// The key that signs a provider token: from the flags, the environment or the running server, in this order.
struct SigningOptions: ParsableArguments {
    @Option(help: .value("file", "An AuthKey_<KEYID>.p8 (MYNAH_KEY_FILE).")) var key: String?
    @Option(help: .parameter("keyId", of: "getKey", " (MYNAH_KEY_ID; default: in the file's name)", value: "keyid"))
    var keyId: String?
    @Option(help: .setting("team-id", value: "team")) var teamId: String?

    /// Makes a token at the server's time, without the word `bearer`.
    func token(_ server: ServerOptions.Found) async throws -> String { try await signed(server).token }

    /// A provider token with what it was made of.
    struct Signed {
        let token: String
        let keyID: String
        let team: String
        let issuedAt: Instant

        /// What `--json` prints; it is by hand because no call answers it, and so no schema describes it.
        var json: JSONValue {
            // A token has whole seconds.
            let issued = Instant(milliseconds: issuedAt.milliseconds / 1000 * 1000)
            return [
                "token": .string(token), "keyId": .string(keyID), "teamId": .string(team),
                "issuedAt": .string(issued.rfc3339),
                "expiresAt": .string(issued.advanced(by: Limits.providerTokenAgeMax).rfc3339),
            ]
        }
    }

    /// Makes a token at the server's time.
    func signed(_ server: ServerOptions.Found) async throws -> Signed {
        let key = try await signingKey(server)
        let now = await SigningOptions.now(of: server)
        return Signed(token: try key.token(issuedAt: now), keyID: key.keyID, team: key.team, issuedAt: now)
    }

    /// The server's time, by which it judges a token's age; the system's time if no server answers.
    static func now(of server: ServerOptions.Found) async -> Instant {
        let clock = try? await ControlClient(try server.get()).documents.clock()
        return clock?["now"]?.string.flatMap { Instant(rfc3339: $0) } ?? Terminal.now
    }

    private func signingKey(_ server: ServerOptions.Found) async throws -> SigningKey {
        let environment = ProcessEnvironment.variables
        if let path = key ?? environment.nonEmpty("MYNAH_KEY_FILE") {
            return try signingKey(inFile: path, isFromFlag: key != nil, environment)
        }
        let credentials = try await ControlClient(try server.get()).credentials()
        guard let pem = credentials.key, let id = keyId ?? credentials.keyID, let team = teamId ?? credentials.teamID
        else {
            throw CommandFailure(
                .usage,
                "the server uses your own keys, which it doesn't hand out: give --key AuthKey_<KEYID>.p8 and --team-id")
        }
        return try SigningKey(keyID: id, team: team, privateKey: P256PrivateKey(pem: pem))
    }

    /// The key of a file, for a command that asks no server for one; if the command has another credential, only --key
    /// counts.
    func ownKey(isOptional: Bool) throws -> SigningKey? {
        let environment = ProcessEnvironment.variables
        if let path = key ?? (isOptional ? nil : environment.nonEmpty("MYNAH_KEY_FILE")) {
            return try signingKey(inFile: path, isFromFlag: key != nil, environment)
        }
        guard isOptional else {
            throw CommandFailure(
                .usage, "missing credential: expected --key AuthKey_<KEYID>.p8 with --team-id, or --certificate")
        }
        return nil
    }

    private func signingKey(inFile path: String, isFromFlag: Bool, _ environment: [String: String]) throws -> SigningKey
    {
        let pem = try NamedFile.text(path, from: isFromFlag ? "--key" : "MYNAH_KEY_FILE", isOfKeys: true)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // MYNAH_KEY_ID belongs to MYNAH_KEY_FILE, not to --key.
        let inherited = isFromFlag ? nil : environment.nonEmpty("MYNAH_KEY_ID")
        let named = SigningKey.keyID(inFileName: name)
        if let keyId, let named, keyId != named {
            throw CommandFailure(
                .configuration, "--key-id \(keyId) contradicts the name of \(path): correct one of them")
        }
        guard let id = keyId ?? inherited ?? named else {
            throw CommandFailure(
                .usage, "unknown key id, because \(name) is not named AuthKey_<KEYID>.p8: give --key-id")
        }
        guard let team = teamId ?? environment.nonEmpty("MYNAH_TEAM_ID") else {
            throw CommandFailure(.usage, "unknown team of \(name): give --team-id or set MYNAH_TEAM_ID")
        }
        do throws(TrustError) {
            return try SigningKey(keyID: id, team: team, privateKey: P256PrivateKey(pem: pem))
        } catch {
            throw CommandFailure(.configuration, "\(path): \(error)")
        }
    }
}
