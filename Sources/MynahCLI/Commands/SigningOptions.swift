import APNsRules
import ArgumentParser
import MynahClient
import MynahTrust

/// The key that signs a provider token: that of the flags, else of the environment, else the running server's
/// development key.
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

    /// A token signed at the server's time, without the word `bearer`.
    ///
    /// - Throws: ``CommandFailure`` or ``ClientError`` that says what is missing.
    func token(_ server: Result<ServerLocator.Server, ClientError>) async throws -> String {
        let source = try await source(server)
        let issuedAt = await SigningOptions.now(of: server)
        do throws(TrustError) {
            let key = try SigningKey(
                keyID: source.keyID, team: source.teamID, privateKey: P256PrivateKey(pem: source.pem))
            return try ProviderTokenSigner(key: key).token(issuedAt: issuedAt)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// The clock by which the server judges a token's age; the system's where no server answers, since a key file
    /// signs without one.
    private static func now(of server: Result<ServerLocator.Server, ClientError>) async -> Instant {
        do throws(ClientError) {
            let clock = try await ControlClient(try server.get()).json("GET", "/v1/clock")
            return clock["now"]?.string.flatMap { Instant(rfc3339: $0) } ?? Terminal.now
        } catch {
            return Terminal.now
        }
    }

    private func source(_ server: Result<ServerLocator.Server, ClientError>) async throws -> Source {
        let environment = ProcessEnvironment.variables
        if let path = key ?? environment.nonEmpty("MYNAH_KEY_FILE") {
            return try source(inFile: path, isFromFlag: key != nil, environment)
        }
        let credentials = try await ControlClient(try server.get()).credentials()
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
