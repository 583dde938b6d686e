import APNsRules
import ArgumentParser
import MynahClient
import MynahTrust

/// With which key a provider token is signed: flags, else the environment, else the running server's
/// development key, else the one in the state folder.
struct SigningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("An AuthKey_<KEYID>.p8 (MYNAH_KEY_FILE).", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("The key's id; default: MYNAH_KEY_ID, else from the file's name.", valueName: "keyid"))
    var keyId: String?

    @Option(help: ArgumentHelp("The key's team (MYNAH_TEAM_ID).", valueName: "team"))
    var teamId: String?

    /// What a token is signed with.
    struct Source: Equatable {
        /// PKCS #8 in PEM.
        var pem: String
        var keyID: String
        var teamID: String
    }

    /// A token signed now, without the word `bearer`.
    ///
    /// - Throws: ``CommandFailure`` or ``ClientError`` that says what is missing.
    func token(_ server: ServerOptions) async throws -> String {
        let source = try await source(server)
        do throws(TrustError) {
            let key = try SigningKey(
                keyID: source.keyID, team: source.teamID, privateKey: P256PrivateKey(pem: source.pem))
            return try ProviderTokenSigner(key: key).token(issuedAt: Terminal.now)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private func source(_ server: ServerOptions) async throws -> Source {
        let environment = ProcessEnvironment.variables
        if let path = key ?? environment.nonEmpty("MYNAH_KEY_FILE") {
            return try source(inFile: path, isFromFlag: key != nil, environment)
        }
        let credentials = try await server.client().credentials()
        guard let pem = credentials.key, let id = keyId ?? credentials.keyID, let team = teamId ?? credentials.teamID
        else {
            throw CommandFailure(
                .usage,
                "the server has keys of your own and hands none out: give --key AuthKey_<KEYID>.p8 and --team-id")
        }
        return Source(pem: pem, keyID: id, teamID: team)
    }

    private func source(
        inFile path: String, isFromFlag: Bool, _ environment: [String: String]
    ) throws -> Source {
        guard let pem = try FileAccess.readText(path) else {
            throw CommandFailure(
                isFromFlag ? .usage : .configuration,
                "\(isFromFlag ? "--key" : "MYNAH_KEY_FILE"): there is no file \(path)")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // MYNAH_KEY_ID belongs to MYNAH_KEY_FILE; a key of a flag has its id in its name.
        let inherited = isFromFlag ? nil : environment.nonEmpty("MYNAH_KEY_ID")
        let named = SigningKey.keyID(inFileName: name)
        if let keyId, let named, keyId != named {
            throw CommandFailure(
                .configuration,
                "--key-id is \(keyId), but \(path) is the key \(named) by its name: one of them is wrong")
        }
        guard let id = keyId ?? inherited ?? named else {
            throw CommandFailure(
                .usage, "\(name) is not named AuthKey_<KEYID>.p8, so the key's id is not known: give --key-id")
        }
        guard let team = teamId ?? environment.nonEmpty("MYNAH_TEAM_ID") else {
            throw CommandFailure(.usage, "the team of \(name) is not known: give --team-id or set MYNAH_TEAM_ID")
        }
        return Source(pem: pem, keyID: id, teamID: team)
    }
}

extension [String: String] {
    /// The value of a variable that is set and not empty.
    func nonEmpty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
